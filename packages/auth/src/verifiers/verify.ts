import type { Clock } from '@tenon/foundation';
import type { GuardedRequest, JsonObject } from '@tenon/mcp-protocol';

/** Characters of a caller's id and of an issuer, at most. */
export const longestName = 1_024;

/** The server that a token must be valid for. The same object for each token. */
export interface TokenRealm {
  /** The identifier that a token must have been issued for. */
  readonly resource: string;
  /** The accepted issuers, in the order of the options. */
  readonly authorizationServers: readonly string[];
  /** `now()` is milliseconds since 1970. */
  readonly clock: Clock;
}

/** The content of a valid token. A proof of its key is checked later. */
export interface Verified {
  /** Stable identifier of the caller, unique within its issuer: the claim `sub`, or the client id if there is no user. */
  readonly id: string;
  /** The issuer of the token; may be left out if there is only one authorization server. */
  readonly issuer?: string | undefined;
  readonly clientId?: string | undefined;
  /** Expiry in milliseconds since 1970, clock tolerance included. Streams of the caller end then. */
  readonly expiresAt?: number | undefined;
  readonly scopes?: readonly string[] | undefined;
  /** Claims for handlers. */
  readonly claims?: JsonObject | undefined;
  /** Thumbprint of the key that the token is bound to (`cnf.jkt`); the token then requires a proof of that key. */
  readonly boundKey?: string | undefined;
}

/** The reason why a token is rejected. */
export interface Rejected {
  /** One sentence in ASCII for `error_description` and audit logs, without any part of the token. */
  readonly rejected: string;
}

/**
 * Checks a token: its issuer, audience, time and signature. Returns its content; undefined, or the reason, if the token is not
 * valid for this resource. The proof of a bound key is checked elsewhere.
 * @throws any error if the check is impossible for now, such as when keys cannot be fetched. The request is then rejected, but
 * not the token.
 */
export type Verify = (
  token: string,
  request: GuardedRequest,
  realm: TokenRealm,
) => Verified | Rejected | undefined | Promise<Verified | Rejected | undefined>;

/** A proof from a request, and the values that it must contain. */
export interface PresentedProof {
  /** The value of the header `DPoP`. */
  readonly proof: string;
  readonly method: string;
  /** The URL that the client used, without query: `htu`. */
  readonly url: string;
  /** The access token; the proof contains its hash. */
  readonly token: string;
  /** Thumbprint of the key that the token is bound to. */
  readonly boundKey: string;
}

/** The reason why a proof is rejected. */
export interface ProofProblem {
  readonly error: 'invalid_dpop_proof' | 'use_dpop_nonce';
  /** One sentence in ASCII. */
  readonly description: string;
  /** The nonce for later proofs, for the header `DPoP-Nonce`. */
  readonly nonce?: string | undefined;
}

/** A valid proof, but the next one must contain another nonce. */
export interface NextNonce {
  /** For the header `DPoP-Nonce`. */
  readonly nonce: string;
  readonly error?: undefined;
}

/**
 * Checks proofs of possession (DPoP), and that none is used twice.
 * https://www.rfc-editor.org/rfc/rfc9449#section-4.3
 */
export interface ProofCheck {
  /** Accepted signature algorithms, such as `ES256`. */
  readonly algs: readonly string[];
  /**
   * @returns undefined, or the nonce for the next proof, if the proof is valid.
   * @throws any error if the check is impossible for now, such as when the replay store fails.
   */
  check(
    proof: PresentedProof,
    realm: TokenRealm,
  ): ProofProblem | NextNonce | undefined | Promise<ProofProblem | NextNonce | undefined>;
}

/** The check of tokens for one resource. */
interface TokenCheck {
  verify(token: string): ReturnType<Verify>;
}

/** Returns a verifier that makes one check for each realm. */
export function verifierOf(make: (realm: TokenRealm) => TokenCheck): Verify {
  const checks = new WeakMap<TokenRealm, TokenCheck>();
  return (token, _request, realm) => {
    let check = checks.get(realm);
    if (check === undefined) {
      check = make(realm);
      checks.set(realm, check);
    }
    return check.verify(token);
  };
}
