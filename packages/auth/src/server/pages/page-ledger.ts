import type { Clock, JsonObject, Principal } from '@tenon/mcp-protocol';
import { digestOf } from '../../client/digest.js';
import { randomSecret } from './browser.js';
import type { PageStore } from './page-store.js';

/** A page that waits for its user. */
export interface OpenPage {
  /** Whom it was made for. */
  readonly issuer: string | null;
  readonly id: string;
  readonly data: JsonObject;
  /** In milliseconds since 1970. */
  readonly expiresAt: number;
  /** The browser it was opened in; null until then. */
  readonly browser: string | null;
}

/** A page as it is kept. */
export interface KeptPage {
  readonly key: string;
  readonly version: string;
  readonly page: OpenPage;
}

/** Whose account something is kept on. */
export function accountOf({ issuer, id }: { readonly issuer?: string | null; readonly id: string }): string {
  return JSON.stringify([issuer ?? null, id]);
}

// Somebody else changed the page each time: it is the same user's other request, and there are few of those.
const attempts = 8;

/** The pages that wait. Handles are never kept, only their digests: who reads the store cannot open a page. */
export class PageLedger {
  readonly #store: PageStore;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #lifetime: number;

  constructor(store: PageStore, clock: Pick<Clock, 'now'>, lifetime: number) {
    this.#store = store;
    this.#clock = clock;
    this.#lifetime = lifetime;
  }

  /** Makes a page, and gives its handle. */
  async open(owner: Principal, data: JsonObject): Promise<string> {
    const handle = randomSecret();
    const expiresAt = this.#clock.now() + this.#lifetime;
    const { issuer, id } = owner;
    const page: OpenPage = { issuer: issuer ?? null, id, data, expiresAt, browser: null };
    await this.#swap(await keyOf('page', handle), undefined, page);
    return handle;
  }

  async find(handle: string): Promise<KeptPage | undefined> {
    return handle === '' ? undefined : this.#get(await keyOf('page', handle));
  }

  /** Has a page belong to a browser; undefined when it belongs to another one, or is gone. */
  async bind(kept: KeptPage, browser: string): Promise<KeptPage | undefined> {
    let current: KeptPage | undefined = kept;
    for (let attempt = 0; current !== undefined && attempt < attempts; attempt++) {
      if (current.page.browser !== null) return current.page.browser === browser ? current : undefined;
      await this.#swap(current.key, current.version, { ...current.page, browser });
      current = await this.#get(kept.key);
    }
    return undefined;
  }

  /** Ends a page; true for the one who ended it. */
  async finish({ key }: KeptPage): Promise<boolean> {
    for (let attempt = 0; attempt < attempts; attempt++) {
      const current = await this.#get(key);
      if (current === undefined) return false;
      if (await this.#swap(key, current.version, undefined)) return true;
    }
    return false;
  }

  /** A secret under which the page is found once more, until the page is over. */
  async expectReturn({ key, page }: KeptPage): Promise<string> {
    const state = randomSecret();
    const { expiresAt } = page;
    const entry = { value: { page: key }, owner: accountOf(page), expiresAt };
    await this.#store.swap(await keyOf('return', state), undefined, entry);
    return state;
  }

  /** The page of such a secret, which is worth nothing after that. */
  async takeReturn(state: string): Promise<KeptPage | undefined> {
    if (state === '') return undefined;
    const key = await keyOf('return', state);
    const kept = await this.#store.get(key);
    if (kept === undefined || !(await this.#store.swap(key, kept.version, undefined))) return undefined;
    return typeof kept.value.page === 'string' ? this.#get(kept.value.page) : undefined;
  }

  async #get(key: string): Promise<KeptPage | undefined> {
    const kept = await this.#store.get(key);
    if (kept === undefined) return undefined;
    const page = kept.value as unknown as OpenPage;
    // A store may keep it longer than it should.
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
