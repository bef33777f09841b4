import { TransportError } from '@tenon/mcp-protocol';

const longest = 4_096;

/**
 * Looks at a session id a server gave. What is wrong with it is told without it, for it is a secret.
 * https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#session-management
 */
export function sessionIdFlaw(id: string): TransportError | undefined {
  if (id.length > longest) {
    return new TransportError(`The session id of the server is longer than ${longest} characters.`);
  }
  return /^[\x21-\x7e]+$/.test(id)
    ? undefined
    : new TransportError('The session id of the server holds characters other than visible ASCII.');
}
