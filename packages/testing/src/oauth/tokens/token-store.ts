import type { JsonObject } from '@tenon/mcp-protocol';
import { BoundedMap } from '../bounded-map.js';
import type { Grant } from './grant.js';

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
