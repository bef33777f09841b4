import type { JsonObject } from '@tenon/mcp-protocol';
import type { RecordedAuthorizationRequest } from '../http/recorded-request.js';

/** The access a user or client granted, shared by all tokens issued for it. */
export interface Grant {
  /** That of the first token. */
  readonly grantType: string;
  readonly clientId: string | undefined;
  /** Undefined if a client acts for itself. */
  readonly user: string | undefined;
  readonly scopes: readonly string[];
  readonly resources: readonly string[];
  /** The nonce for the ID token. */
  readonly nonce?: string | undefined;
  /** Thumbprint of the key the refresh tokens are bound to. */
  refreshKey?: string | undefined;
  revoked?: boolean;
}

/** A token that was issued. */
export interface IssuedToken {
  readonly kind: 'access' | 'refresh';
  readonly grant: Grant;
  readonly claims: JsonObject;
  /** True if it was revoked, or is a refresh token that was replaced. */
  spent?: boolean;
}

/** An authorization request that waits for the user's consent. */
export interface PendingConsent {
  readonly request: RecordedAuthorizationRequest;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** A device code that was issued. */
export interface DeviceCode {
  readonly request: RecordedAuthorizationRequest;
  readonly userCode: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
  /** Time of the last token request with it. */
  polledAt?: number;
  /** The user who has signed in with the code, or `deny`. */
  user?: string;
}

/** An authorization code that was issued. */
export interface AuthorizationCode {
  readonly request: RecordedAuthorizationRequest;
  readonly grant: Grant;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
  used?: boolean;
}
