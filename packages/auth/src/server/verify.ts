import type { Clock, GuardedRequest, JsonObject } from '@tenon/mcp-protocol';

/** What a verifier may take for granted: the same object for each token. */
export interface TokenRealm {
  /** The identifier a token must have been issued for. */
  readonly resource: string;
  /** Issuers whose tokens are taken, in the order they were given. */
  readonly authorizationServers: readonly string[];
  /** Its `now()` is milliseconds since 1970. */
  readonly clock: Clock;
}

/** What a token says, once everything about it but the proof of its key has been checked. */
export interface Verified {
  /** Stable identifier of the caller, unique within its issuer: the claim `sub`, or the client's where there is no user. */
  readonly id: string;
  /** Who issued the token; the only authorization server where there is but one and this is left out. */
  readonly issuer?: string | undefined;
  readonly clientId?: string | undefined;
  /** From when on it is refused, in milliseconds since 1970: what clocks may differ by is in it. Streams end then. */
  readonly expiresAt?: number | undefined;
  readonly scopes?: readonly string[] | undefined;
  /** Claims for handlers to read. */
  readonly claims?: JsonObject | undefined;
  /** Thumbprint of the key that the token is bound to, `cnf.jkt`; then it is worth nothing without a proof of that key. */
  readonly boundKey?: string | undefined;
}

/** Why a token is not taken. */
export interface Rejected {
  /** One sentence for `error_description` and the audit, in ASCII and without anything of the token. */
  readonly rejected: string;
}

/**
 * Tells what a token says; undefined, or why not, when it is not valid for this resource. It checks issuer, audience, time
 * and signature or asks who can; the proof of a bound key is checked elsewhere. It rejects when it cannot tell, such as
 * when keys cannot be fetched: nobody is let in then, and nobody is told that his token is bad.
 */
export type Verify = (
  token: string,
  request: GuardedRequest,
  realm: TokenRealm,
) => Verified | Rejected | undefined | Promise<Verified | Rejected | undefined>;

/** A proof that came with a request, and what it has to fit. */
export interface PresentedProof {
  /** The value of the header `DPoP`. */
  readonly proof: string;
  readonly method: string;
  /** The address the client used, without query: `htu`. */
  readonly url: string;
  /** The access token; the proof holds its hash. */
  readonly token: string;
  /** Thumbprint of the key that the token is bound to. */
  readonly boundKey: string;
}

/** What is wrong with a proof. */
export interface ProofFlaw {
  readonly error: 'invalid_dpop_proof' | 'use_dpop_nonce';
  /** One sentence in ASCII. */
  readonly description: string;
  /** The nonce to use from now on, for the header `DPoP-Nonce`. */
  readonly nonce?: string | undefined;
}

/** A proof that holds, where the next one has to hold another nonce. */
export interface NextNonce {
  /** For the header `DPoP-Nonce`. */
  readonly nonce: string;
  readonly error?: undefined;
}

/**
 * Checks proofs of possession, replays included.
 * https://www.rfc-editor.org/rfc/rfc9449#section-4.3
 */
export interface ProofCheck {
  /** Algorithms of signatures it takes, such as `ES256`. */
  readonly algs: readonly string[];
  /**
   * @returns undefined, or the nonce of the next one, when the proof holds. It rejects when it cannot tell, such as when
   * replays cannot be looked up.
   */
  check(
    proof: PresentedProof,
    realm: TokenRealm,
  ): ProofFlaw | NextNonce | undefined | Promise<ProofFlaw | NextNonce | undefined>;
}
