import { digestOf } from '../../client/digest.js';

/**
 * SHA-256 of a token, in base64url: at once where the runtime has a way to, as Node does. By it a token can be known again
 * without being kept.
 */
export function tokenHash(token: string): string | Promise<string> {
  // Found when it is needed, so that nothing of Node is needed anywhere else.
  const native = globalThis.process?.getBuiltinModule?.('node:crypto');
  return native?.hash?.('sha256', token, 'base64url') ?? digestOf(token);
}
