import type { JWK } from 'jose';

/** Tokens of one client for one server, from one issuer. JSON: stores keep it as it is. */
export interface TokenSet {
  readonly accessToken: string;
  readonly tokenType: 'Bearer' | 'DPoP';
  /** When the access token expires, in milliseconds since 1970; undefined where nobody said. */
  readonly expiresAt?: number | undefined;
  readonly refreshToken?: string | undefined;
  /** Scopes that were granted; undefined where nobody said. */
  readonly scopes?: readonly string[] | undefined;
  /** Scopes that were asked for; what is asked for later includes them. */
  readonly requested?: readonly string[] | undefined;
  /** Who issued it, and to which client; never used with another. */
  readonly issuer: string;
  readonly clientId: string;
  /** The private key that the tokens are bound to, where they are. */
  readonly dpopKey?: JWK | undefined;
}
