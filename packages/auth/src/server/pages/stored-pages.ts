import type { Clock } from '@tenon/foundation';
import type { JsonObject, Principal } from '@tenon/mcp-protocol';
import { digestOf } from '../../crypto/digest.js';
import { randomSecret } from './browser.js';
import type { PageStore } from './page-store.js';

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

/** A page in the store, with its key and version. */
export interface StoredPage {
  readonly key: string;
  readonly version: string;
  readonly page: OpenPage;
}

/** Returns the owner of entries in the store, by issuer and id. */
export function accountOf({ issuer, id }: { readonly issuer?: string | null; readonly id: string }): string {
  return JSON.stringify([issuer ?? null, id]);
}

// Attempts to write. Only other requests of the same user change a page at the same time, and those are few.
const attempts = 8;

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
    await this.#swap(await keyOf('page', handle), undefined, page);
    return handle;
  }

  async find(handle: string): Promise<StoredPage | undefined> {
    return handle === '' ? undefined : this.#get(await keyOf('page', handle));
  }

  /** Binds a page to a browser; undefined if it is bound to another browser, or does not exist. */
  async bind(kept: StoredPage, browser: string): Promise<StoredPage | undefined> {
    let current: StoredPage | undefined = kept;
    for (let attempt = 0; current !== undefined && attempt < attempts; attempt++) {
      if (current.page.browser !== null) return current.page.browser === browser ? current : undefined;
      await this.#swap(current.key, current.version, { ...current.page, browser });
      current = await this.#get(kept.key);
    }
    return undefined;
  }

  /** Deletes a page; true only for the call that deleted it. */
  async finish({ key }: StoredPage): Promise<boolean> {
    for (let attempt = 0; attempt < attempts; attempt++) {
      const current = await this.#get(key);
      if (current === undefined) return false;
      if (await this.#swap(key, current.version, undefined)) return true;
    }
    return false;
  }

  /** Returns a secret that finds the page once more, until the page expires. */
  async expectReturn({ key, page }: StoredPage): Promise<string> {
    const state = randomSecret();
    const { expiresAt } = page;
    const entry = { value: { page: key }, owner: accountOf(page), expiresAt };
    await this.#store.swap(await keyOf('return', state), undefined, entry);
    return state;
  }

  /** Returns the page of such a secret. The secret is then used up. */
  async takeReturn(state: string): Promise<StoredPage | undefined> {
    if (state === '') return undefined;
    const key = await keyOf('return', state);
    const kept = await this.#store.get(key);
    if (kept === undefined || !(await this.#store.swap(key, kept.version, undefined))) return undefined;
    return typeof kept.value.page === 'string' ? this.#get(kept.value.page) : undefined;
  }

  async #get(key: string): Promise<StoredPage | undefined> {
    const kept = await this.#store.get(key);
    if (kept === undefined) return undefined;
    const page = kept.value as unknown as OpenPage;
    // A store may return entries that have expired.
    return page.expiresAt > this.#clock.now() ? { key, version: kept.version, page } : undefined;
  }

  async #swap(key: string, version: string | undefined, page: OpenPage | undefined): Promise<boolean> {
    if (page === undefined) return this.#store.swap(key, version, undefined);
    const value = { ...page } as unknown as JsonObject;
    return this.#store.swap(key, version, { value, owner: accountOf(page), expiresAt: page.expiresAt });
  }
}

async function keyOf(kind: 'page' | 'return', secret: string): Promise<string> {
  return `${kind}:${await digestOf(secret)}`;
}
