import { toBase64Url } from '@tenon/mcp-protocol/internal';
import { digestOf } from '../../crypto/digest.js';

/** A secret (verifier) and its hash (challenge). */
export interface Pkce {
  /** Sent only with the code, to the token endpoint. */
  readonly verifier: string;
  /** Sent in the authorization request; its method is S256. */
  readonly challenge: string;
}

/**
 * Returns a new pair with 256 random bits.
 * https://www.rfc-editor.org/rfc/rfc7636#section-4
 */
export async function createPkce(): Promise<Pkce> {
  const verifier = toBase64Url(crypto.getRandomValues(new Uint8Array(32)));
  return { verifier, challenge: await digestOf(verifier) };
}
