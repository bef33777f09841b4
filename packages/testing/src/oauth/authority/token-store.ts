import type { JsonObject } from '@tenon/mcp-protocol';
import { BoundedMap } from '../../bounded.js';
import type { RecordedAuthorizationRequest } from '../http/recorded-request.js';

/** A token that was issued. */
export interface IssuedToken {
  readonly kind: 'access' | 'refresh';
  readonly grant: Grant;
  readonly claims: JsonObject;
  /** True if it was revoked, or is a refresh token that was replaced. */
  spent: boolean;
}

/** Issued tokens by their text. */
export class TokenStore {
  readonly #tokens: BoundedMap<string, IssuedToken>;
  readonly #now: () => number;

  constructor(most: number, now: () => number) {
    this.#tokens = new BoundedMap(most);
    this.#now = now;
  }

  add(text: string, token: Omit<IssuedToken, 'spent'>): void {
    this.#tokens.set(text, { ...token, spent: false });
  }

  /** Returns an issued token, even if it is no longer valid. */
  find(text: string): IssuedToken | undefined {
    return this.#tokens.get(text);
  }

  isActive({ spent, grant, claims: { exp, nbf } }: IssuedToken): boolean {
    const seconds = this.#now() / 1_000;
    if (typeof exp === 'number' && exp <= seconds) return false;
    return !spent && !grant.revoked && !(typeof nbf === 'number' && nbf > seconds);
  }

  /** Revokes an access token, or a refresh token with all other tokens of its grant. */
  revoke(text: string): void {
    const token = this.#tokens.get(text);
    if (token === undefined) return;
    token.spent = true;
    if (token.kind === 'refresh') token.grant.revoked = true;
  }

  clear(): void {
    this.#tokens.clear();
  }
}

/** The access a user or client granted, shared by all tokens issued for it. */
export interface Grant {
  /** The `grant_type` of the first token. */
  readonly type: string;
  readonly clientId: string | undefined;
  /** Undefined if a client acts for itself. */
  readonly user: string | undefined;
  readonly scopes: readonly string[];
  readonly resources: readonly string[];
  /** The nonce for the ID token. */
  readonly nonce?: string | undefined;
  /** Thumbprint of the key the refresh tokens are bound to. */
  refreshKey?: string | undefined;
  revoked: boolean;
}

/** An authorization code that was issued. */
export interface AuthorizationCode {
  readonly grant: Grant;
  readonly redirectUri: string;
  readonly challenge: string;
  /** Thumbprint of the key the code is bound to. */
  readonly codeKey: string | undefined;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
  used: boolean;
}

/** A valid authorization request that waits for the user's consent. */
export interface PendingAuthorization {
  readonly request: RecordedAuthorizationRequest;
  readonly state: string | undefined;
  readonly challenge: string;
  readonly nonce: string | undefined;
  /** Thumbprint of the key the code is bound to. */
  readonly codeKey: string | undefined;
}

/** A consent page sent to a browser. */
export interface PendingConsent extends PendingAuthorization {
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** Accepts each name once. */
export class ReplayGuard {
  readonly #seen: BoundedMap<string, number>;
  readonly #now: () => number;

  constructor(most: number, now: () => number) {
    this.#seen = new BoundedMap(most);
    this.#now = now;
  }

  /**
   * @param until - expiry of the name, in milliseconds since 1970
   * @returns false if the name was accepted before
   */
  take(name: string, until: number): boolean {
    const known = this.#seen.get(name);
    if (known !== undefined && known > this.#now()) return false;
    this.#seen.delete(name);
    this.#seen.set(name, until);
    return true;
  }
}
