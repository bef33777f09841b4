import type { JWK } from 'jose';

/** The tokens of one client for one server, from one issuer. Plain JSON, as the store contains it. */
export interface TokenSet {
  readonly accessToken: string;
  readonly tokenType: 'Bearer' | 'DPoP';
  /** Expiry of the access token, in milliseconds since 1970; undefined if unknown. */
  readonly expiresAt?: number | undefined;
  readonly refreshToken?: string | undefined;
  /** Granted scopes; undefined if the authorization server did not list them. */
  readonly scopes?: readonly string[] | undefined;
  /** Requested scopes; later requests include them. */
  readonly requested?: readonly string[] | undefined;
  /** The issuer of the tokens. They are never used with another issuer or client id. */
  readonly issuer: string;
  readonly clientId: string;
  /** The private key that the tokens are bound to; undefined for bearer tokens. */
  readonly dpopKey?: JWK | undefined;
}
