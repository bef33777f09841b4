import type { JsonObject } from '@tenon/mcp-protocol';
import { BoundedMap } from '../bounded-map.js';
import type { Grant } from './grant.js';

/** A token that was issued. */
export interface IssuedToken {
  readonly kind: 'access' | 'refresh';
  readonly grant: Grant;
  readonly claims: JsonObject;
  /** It stands no more: it was revoked, or is a refresh token in whose place another was given. */
  spent: boolean;
}

/** Tokens that were issued, by their texts. */
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

  /** The token as it was issued, whether it is still good or not. */
  find(text: string): IssuedToken | undefined {
    return this.#tokens.get(text);
  }

  isActive({ spent, grant, claims: { exp, nbf } }: IssuedToken): boolean {
    const seconds = this.#now() / 1_000;
    if (typeof exp === 'number' && exp <= seconds) return false;
    return !spent && !grant.revoked && !(typeof nbf === 'number' && nbf > seconds);
  }

  /** Revokes an access token alone, and with a refresh token all that came of the same grant. */
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
