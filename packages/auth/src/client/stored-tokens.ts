import type { JsonObject } from '@tenon/mcp-protocol';
import { isObject, isScope } from '@tenon/mcp-protocol/internal';
import type { JWK } from 'jose';
import { AuthError } from '../auth-error.js';
import type { AuthStore } from './auth-store.js';
import { digestOfAll } from './digest.js';
import type { TokenSet } from './token-set.js';

/** Which tokens belong to a server. */
export interface TokenOwner {
  readonly issuer: string;
  readonly clientId: string;
  /** Identifier of the server they are for. */
  readonly resource: string;
  /** The issuer has no metadata. */
  readonly assumed: boolean;
}

/** Tokens as they are kept. */
export interface KeptTokens {
  readonly tokens: TokenSet;
  readonly version: string;
}

/** How often a change is tried that somebody else comes before. */
const attempts = 8;

/**
 * Keeps the tokens of one user in a store: by issuer, client and resource, and which of them belong to which server. What
 * is kept and cannot be read counts as not there.
 */
export class StoredTokens {
  readonly store: AuthStore;
  readonly #holder: readonly (string | undefined)[];

  /** @param holder - what tells whose tokens these are from others that share the store. */
  constructor(store: AuthStore, holder: readonly (string | undefined)[]) {
    this.store = store;
    this.#holder = holder;
  }

  /** Under what the tokens are kept. */
  async keyOf({ issuer, clientId, resource }: TokenOwner): Promise<string> {
    return `tokens:${await digestOfAll([...this.#holder, issuer, clientId, resource])}`;
  }

  /** Whose tokens belong to a server, as its user named it. */
  async owner(server: string): Promise<TokenOwner | undefined> {
    const kept = await this.store.get(await this.#serverKey(server));
    return kept === undefined ? undefined : readOwner(kept.value);
  }

  async read(owner: TokenOwner): Promise<KeptTokens | undefined> {
    const kept = await this.store.get(await this.keyOf(owner));
    const tokens = kept === undefined ? undefined : readTokens(kept.value);
    const isTheirs = tokens?.issuer === owner.issuer && tokens.clientId === owner.clientId;
    return kept !== undefined && tokens !== undefined && isTheirs
      ? { tokens, version: kept.version }
      : undefined;
  }

  /** Keeps new tokens, whatever was there, and that they belong to a server; others that did are forgotten. */
  async write(server: string, owner: TokenOwner, tokens: TokenSet): Promise<void> {
    const before = await this.owner(server);
    const key = await this.keyOf(owner);
    await this.#put(key, jsonOf(tokens));
    await this.#put(await this.#serverKey(server), { ...owner, server });
    // Nothing leads to them any more: no sign-out would find them.
    const old = before === undefined ? key : await this.keyOf(before);
    if (old !== key) await this.#put(old, undefined);
  }

  /** Keeps tokens in place of others; false when those are not there any more. */
  async replace(owner: TokenOwner, version: string, tokens: TokenSet): Promise<boolean> {
    return this.store.swap(await this.keyOf(owner), version, jsonOf(tokens));
  }

  /** Forgets the tokens of a server, and that it had any. */
  async remove(server: string, owner: TokenOwner): Promise<void> {
    await this.#put(await this.keyOf(owner), undefined);
    await this.#put(await this.#serverKey(server), undefined);
  }

  async #serverKey(server: string): Promise<string> {
    return `server:${await digestOfAll([...this.#holder, server])}`;
  }

  async #put(key: string, value: JsonObject | undefined): Promise<void> {
    for (let attempt = 0; attempt < attempts; attempt++) {
      const kept = await this.store.get(key);
      if (value === undefined && kept === undefined) return;
      if (await this.store.swap(key, kept?.version, value)) return;
    }
    throw new AuthError('storage', 'The store changes faster than anything can be kept in it.');
  }
}

function jsonOf(tokens: TokenSet): JsonObject {
  return JSON.parse(JSON.stringify(tokens)) as JsonObject;
}

function readOwner(value: JsonObject): TokenOwner | undefined {
  const { issuer, clientId, resource, assumed } = value;
  if (typeof issuer !== 'string' || typeof clientId !== 'string' || typeof resource !== 'string')
    return undefined;
  return { issuer, clientId, resource, assumed: assumed === true };
}

function readTokens(value: JsonObject): TokenSet | undefined {
  const { accessToken, tokenType, expiresAt, refreshToken, issuer, clientId, dpopKey } = value;
  if (typeof accessToken !== 'string' || typeof issuer !== 'string' || typeof clientId !== 'string')
    return undefined;
  // It goes into a header.
  if (!/^[\x21-\x7e]+$/.test(accessToken)) return undefined;
  const key = isObject(dpopKey) ? (dpopKey as JWK) : undefined;
  if (tokenType !== 'Bearer' && (tokenType !== 'DPoP' || key === undefined)) return undefined;
  return {
    accessToken,
    tokenType,
    expiresAt: typeof expiresAt === 'number' ? expiresAt : undefined,
    refreshToken: typeof refreshToken === 'string' ? refreshToken : undefined,
    scopes: readScopes(value.scopes),
    requested: readScopes(value.requested),
    issuer,
    clientId,
    dpopKey: key,
  };
}

function readScopes(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) ? value.filter(isScope) : undefined;
}
