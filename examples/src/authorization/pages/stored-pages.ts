import type { Clock, JsonObject, Principal } from '@tenon/mcp-server';
import { changeEntry, type PageEntry, type PageStore } from './page-store.js';
import { digestOf, randomSecret } from './secrets.js';

/** A page that waits for its user. */
export interface OpenPage {
  /** The issuer and the id of the user that the page was made for. */
  readonly issuer: string | null;
  readonly id: string;
  readonly data: JsonObject;
  /** In milliseconds since 1970. */
  readonly expiresAt: number;
  /** The browser in which the page was opened; null until then. */
  readonly browser: string | null;
}

/** A page in the store, with its key. */
export interface StoredPage {
  readonly key: string;
  readonly page: OpenPage;
}

/** Returns the owner of entries in the store, by issuer and id. */
export function accountOf({ issuer, id }: { readonly issuer?: string | null; readonly id: string }): string {
  return JSON.stringify([issuer ?? null, id]);
}

/** The pages that wait for their users. Stores only hashes of handles, so that the store gives no access to pages. */
export class StoredPages {
  readonly #store: PageStore;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #lifetime: number;

  constructor(store: PageStore, clock: Pick<Clock, 'now'>, lifetime: number) {
    this.#store = store;
    this.#clock = clock;
    this.#lifetime = lifetime;
  }

  /** Makes a page, and returns its handle. */
  async open(owner: Principal, data: JsonObject): Promise<string> {
    const handle = randomSecret();
    const expiresAt = this.#clock.now() + this.#lifetime;
    const { issuer, id } = owner;
    const page: OpenPage = { issuer: issuer ?? null, id, data, expiresAt, browser: null };
    await this.#store.swap(keyOf('page', handle), undefined, entryOf(page));
    return handle;
  }

  async find(handle: string): Promise<StoredPage | undefined> {
    return handle === '' ? undefined : this.#get(keyOf('page', handle));
  }

  /** Binds a page to a browser; undefined if it is bound to another browser, or does not exist. */
  async bind(kept: StoredPage, browser: string): Promise<StoredPage | undefined> {
    const { key } = kept;
    if (kept.page.browser !== null) return kept.page.browser === browser ? kept : undefined;
    const value = await changeEntry(this.#store, key, (found) => {
      const page = this.#live(found);
      return page?.browser === null ? entryOf({ ...page, browser }) : 'keep';
    });
    const page = this.#live(value);
    return page?.browser === browser ? { key, page } : undefined;
  }

  /** Deletes a page; true only for the call that deleted it. */
  async finish({ key }: StoredPage): Promise<boolean> {
    let isDeleted = false;
    await changeEntry(this.#store, key, (found) => {
      isDeleted = this.#live(found) !== undefined;
      return isDeleted ? undefined : 'keep';
    });
    return isDeleted;
  }

  /** Returns a secret that finds the page once more, until the page expires. */
  async expectReturn({ key, page }: StoredPage): Promise<string> {
    const state = randomSecret();
    const { expiresAt } = page;
    const entry = { value: { page: key }, owner: accountOf(page), expiresAt };
    await this.#store.swap(keyOf('return', state), undefined, entry);
    return state;
  }

  /** Returns the page of such a secret. The secret is then used up. */
  async takeReturn(state: string): Promise<StoredPage | undefined> {
    if (state === '') return undefined;
    const key = keyOf('return', state);
    const kept = await this.#store.get(key);
    if (kept === undefined || !(await this.#store.swap(key, kept.version, undefined))) return undefined;
    return typeof kept.value.page === 'string' ? this.#get(kept.value.page) : undefined;
  }

  async #get(key: string): Promise<StoredPage | undefined> {
    const page = this.#live((await this.#store.get(key))?.value);
    return page && { key, page };
  }

  /** Returns a page unless it has expired: a store may return those too. */
  #live(value: JsonObject | undefined): OpenPage | undefined {
    const page = value as unknown as OpenPage | undefined;
    return page !== undefined && page.expiresAt > this.#clock.now() ? page : undefined;
  }
}

function entryOf(page: OpenPage): PageEntry {
  const value = { ...page } as unknown as JsonObject;
  return { value, owner: accountOf(page), expiresAt: page.expiresAt };
}

function keyOf(kind: 'page' | 'return', secret: string): string {
  return `${kind}:${digestOf(secret)}`;
}
