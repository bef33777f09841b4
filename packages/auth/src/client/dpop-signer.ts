import type { JWK } from 'jose';

/** What a proof is for. */
export interface ProofTarget {
  readonly method: string;
  /** Its query and fragment do not matter. */
  readonly url: string;
  /** The token that goes with it; undefined at a token endpoint. */
  readonly accessToken?: string | undefined;
}

/**
 * Proves possession of one key, and remembers which nonce each origin wants.
 * https://www.rfc-editor.org/rfc/rfc9449#section-4
 */
export interface DpopSigner {
  /** The private key, to be kept with the tokens that are bound to it. */
  readonly key: JWK;
  /** The value of the header `DPoP` for one request. */
  proof(target: ProofTarget): Promise<string>;
  /** Takes the nonce that an origin asked for. */
  nonce(origin: string, nonce: string): void;
}
