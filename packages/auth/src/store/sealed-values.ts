import type { JsonObject } from '@tenon/mcp-protocol';
import type { SecretBytes } from '@tenon/mcp-session/internal';
import { AuthError } from '../auth-error.js';

/**
 * Encrypts the values of a store as JWE (`dir`, AES-256-GCM). The key of the entry is authenticated, so that a value is not accepted
 * under another key.
 */
export class SealedValues {
  readonly #secrets: SecretBytes;

  /** @param secrets - the first encrypts, all decrypt. */
  constructor(secrets: SecretBytes) {
    this.#secrets = secrets;
  }

  async seal(entry: string, value: JsonObject): Promise<string> {
    const { CompactEncrypt } = await import('jose/jwe/compact/encrypt');
    const plain = new TextEncoder().encode(JSON.stringify(value));
    return new CompactEncrypt(plain)
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', entry })
      .encrypt(this.#secrets[0]);
  }

  /** @throws AuthError `storage` if the text was not sealed for this entry with one of the secrets. */
  async open(entry: string, text: string): Promise<JsonObject> {
    const { compactDecrypt } = await import('jose/jwe/compact/decrypt');
    const accepted = { keyManagementAlgorithms: ['dir'], contentEncryptionAlgorithms: ['A256GCM'] };
    let cause: unknown;
    for (const secret of this.#secrets) {
      try {
        const { plaintext, protectedHeader } = await compactDecrypt(text, secret, accepted);
        if (protectedHeader.entry !== entry) break;
        return JSON.parse(new TextDecoder().decode(plaintext)) as JsonObject;
      } catch (error) {
        cause = error;
      }
    }
    throw new AuthError(
      'storage',
      `stateAuthStore: the entry "${entry}" cannot be decrypted. It was written with a key that the option keys does not have, or changed by another program. Add the key, or delete the entry.`,
      { cause },
    );
  }
}
