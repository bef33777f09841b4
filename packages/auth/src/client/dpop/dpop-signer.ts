import type { JWK } from 'jose';

/** The request that a proof belongs to. */
export interface ProofTarget {
  readonly method: string;
  /** The URL of the request; query and fragment are ignored. */
  readonly url: string;
  /** The access token of the request; undefined at a token endpoint. */
  readonly accessToken?: string | undefined;
}

/**
 * Creates DPoP proofs with one key, and remembers the nonce that each origin requires.
 * https://www.rfc-editor.org/rfc/rfc9449#section-4
 */
export interface DpopSigner {
  /** The private key; stored with the tokens that are bound to it. */
  readonly key: JWK;
  /** Returns the value of the header `DPoP` for one request. */
  proof(target: ProofTarget): Promise<string>;
  /** Sets the nonce for later proofs to an origin. */
  nonce(origin: string, nonce: string): void;
}
