/** Bounds and waits of what authorizes clients. */
export interface ProviderLimits {
  /** Authorizations of one request, at most. */
  readonly maxAttempts: number;
  /** Milliseconds before a token expires that it is replaced; of a token that lives shorter, half its life is used. */
  readonly expirySkew: number;
  /** Milliseconds that it is remembered who issues tokens for a server. */
  readonly discoveryLifetime: number;
  /** Servers that a provider remembers; past it the one used longest ago is forgotten, but for what the store keeps. */
  readonly servers: number;
  /** Sets of scopes that were refused, remembered for each server. */
  readonly refusedScopes: number;
  /** Milliseconds that nobody is asked again for what was refused. */
  readonly refusalPause: number;
  /** Bytes of one answer of an authorization server, and of each document about one. */
  readonly answerBytes: number;
  /** Milliseconds for one exchange with it, redirects included. */
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
