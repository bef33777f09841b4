/** Bounds and times of a provider. */
export interface ProviderLimits {
  /** Authorizations of one request, at most. */
  readonly maxAttempts: number;
  /** Milliseconds before its expiry that a token is replaced; a token with a shorter lifetime is replaced after half of it. */
  readonly expirySkew: number;
  /** Milliseconds that the authorization server of a server is cached. */
  readonly discoveryLifetime: number;
  /** Servers that a provider holds in memory, at most; the least recently used one is dropped, except for its stored tokens. */
  readonly servers: number;
  /** Refused sets of scopes that are remembered for each server, at most. */
  readonly refusedScopes: number;
  /** Milliseconds until refused scopes are requested again. */
  readonly refusalPause: number;
  /** Bytes of one response of an authorization server, and of each metadata document, at most. */
  readonly answerBytes: number;
  /** Milliseconds for one request to it, redirects included. */
  readonly answerTimeout: number;
}

export const defaultProviderLimits: ProviderLimits = {
  maxAttempts: 3,
  expirySkew: 30_000,
  discoveryLifetime: 300_000,
  servers: 256,
  refusedScopes: 64,
  refusalPause: 60_000,
  answerBytes: 262_144,
  answerTimeout: 10_000,
};
