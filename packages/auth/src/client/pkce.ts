import { toBase64Url } from '../base64url.js';
import { digestOf } from './digest.js';

/** A secret, and what shows only to whoever knows it that he knows it. */
export interface Pkce {
  /** Sent with the code, to the token endpoint alone. */
  readonly verifier: string;
  /** Sent with the authorization request; its method is S256. */
  readonly challenge: string;
}

/**
 * Makes a new pair out of 256 random bits.
 * https://www.rfc-editor.org/rfc/rfc7636#section-4
 */
export async function createPkce(): Promise<Pkce> {
  const verifier = toBase64Url(crypto.getRandomValues(new Uint8Array(32)));
  return { verifier, challenge: await digestOf(verifier) };
}
