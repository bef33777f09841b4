import type { JsonObject } from '@tenon/mcp-protocol';
import { digestOfAll } from '../oauth/secrets.js';
import { jsonOf, readOwner, type TokenOwner, type TokenSet, tokensOf } from '../oauth/token-set.js';
import type { AuthStore } from '../store/auth-store.js';
import { changeEntry } from '../store/change-entry.js';

/** Tokens in the store, with the version of their entry. */
export interface StoredTokenSet {
  readonly tokens: TokenSet;
  readonly version: string;
}

/** Returns the URL of the server that an entry of a store belongs to; undefined for entries of other kinds. */
export function serverOfEntry(key: string, { server }: JsonObject): string | undefined {
  return key.startsWith('server:') && typeof server === 'string' ? server : undefined;
}

/**
 * Stores the tokens of one user, by issuer, client and resource, and for each server which of them to use. Unreadable entries
 * count as missing.
 */
export class StoredTokens {
  readonly store: AuthStore;
  readonly #holder: readonly (string | undefined)[];

  /** @param holder - identifies the user among others that share the store. */
  constructor(store: AuthStore, holder: readonly (string | undefined)[]) {
    this.store = store;
    this.#holder = holder;
  }

  /** Returns the key of the tokens in the store. */
  async keyOf({ issuer, clientId, resource }: TokenOwner): Promise<string> {
    return `tokens:${await digestOfAll([...this.#holder, issuer, clientId, resource])}`;
  }

  /** Returns the owner of the tokens for a server, by the URL that the user wrote. */
  async owner(server: string): Promise<TokenOwner | undefined> {
    const kept = await this.store.get(await this.#serverKey(server));
    return kept === undefined ? undefined : readOwner(kept.value);
  }

  async read(owner: TokenOwner): Promise<StoredTokenSet | undefined> {
    const kept = await this.store.get(await this.keyOf(owner));
    const tokens = tokensOf(owner, kept?.value);
    return kept && tokens && { tokens, version: kept.version };
  }

  /** Stores new tokens for a server, and deletes the tokens that it used before. */
  async write(server: string, owner: TokenOwner, tokens: TokenSet): Promise<void> {
    const before = await this.owner(server);
    const key = await this.keyOf(owner);
    await this.#put(key, jsonOf(tokens));
    await this.#put(await this.#serverKey(server), { ...owner, server });
    // No entry names these tokens any more, so a sign-out would not delete them.
    const old = before === undefined ? key : await this.keyOf(before);
    if (old !== key) await this.#put(old, undefined);
  }

  /** Replaces stored tokens; false if the entry has another version by now. */
  async replace(owner: TokenOwner, version: string, tokens: TokenSet): Promise<boolean> {
    return this.store.swap(await this.keyOf(owner), version, jsonOf(tokens));
  }

  /**
   * Replaces stored tokens, also if their refresh token was deleted since they were read.
   * @returns the tokens that are stored afterwards: others if another process has replaced or deleted them.
   */
  async renew(owner: TokenOwner, before: StoredTokenSet, tokens: TokenSet): Promise<TokenSet | undefined> {
    const { accessToken } = before.tokens;
    const known = { value: jsonOf(before.tokens), version: before.version };
    let stored: TokenSet | undefined;
    await changeEntry({ store: this.store, key: await this.keyOf(owner), known }, (found) => {
      stored = tokensOf(owner, found);
      if (stored?.accessToken !== accessToken) return found;
      stored = tokens;
      return jsonOf(tokens);
    });
    return stored;
  }

  /** Deletes the tokens of a server. */
  async remove(server: string, owner: TokenOwner): Promise<void> {
    await this.#put(await this.keyOf(owner), undefined);
    await this.#put(await this.#serverKey(server), undefined);
  }

  async #serverKey(server: string): Promise<string> {
    return `server:${await digestOfAll([...this.#holder, server])}`;
  }

  async #put(key: string, value: JsonObject | undefined): Promise<void> {
    await changeEntry({ store: this.store, key }, () => value);
  }
}
