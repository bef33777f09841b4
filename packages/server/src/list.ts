import { ErrorCode, type Principal, RpcError, type UnknownObject } from '@tenon/mcp-protocol';
import { fromBase64Url, toBase64Url } from './base64.js';
import type { Definition } from './definition.js';
import type { Entry, Registry } from './registry.js';

const longestCursor = 4_096;

/** An entry, and what of it stands in a list. */
export interface ListedEntry<Item> extends Entry {
  readonly definition: Item;
}

/** What a list is made of. */
export interface Listing<Item> {
  readonly registry: Registry<ListedEntry<Item>>;
  /** The member of the result that holds the items. */
  readonly member: 'tools' | 'prompts' | 'resources' | 'resourceTemplates';
  /** What names an item, and no other of the list; a cursor names the last item of the page before. */
  readonly key: (item: Item) => string;
}

/** One list as its method gives it, page by page; pages that are the same for every caller are made once. */
export class List<Item> {
  readonly #definition: Definition;
  readonly #listing: Listing<Item>;
  #version = -1;
  readonly #pages = new Map<string | undefined, UnknownObject>();

  constructor(definition: Definition, listing: Listing<Item>) {
    this.#definition = definition;
    this.#listing = listing;
  }

  /**
   * What a caller sees from a cursor on; the same object again while nothing changes.
   * @throws RpcError invalid params for a cursor this list never gave.
   */
  get(cursor: string | undefined, principal: Principal | undefined): UnknownObject {
    const { registry } = this.#listing;
    if (registry.guarded) return this.page(itemsOf(registry.visibleTo(principal)), cursor, 'private');
    if (registry.version !== this.#version) {
      this.#pages.clear();
      this.#version = registry.version;
    }
    let page = this.#pages.get(cursor);
    if (page === undefined) {
      page = this.page(itemsOf(registry.all()), cursor, 'public');
      this.#pages.set(cursor, page);
    }
    return page;
  }

  /**
   * The page of some items that follows a cursor.
   * @throws RpcError invalid params for a cursor this list never gave.
   */
  page(items: readonly Item[], cursor: string | undefined, cacheScope: 'public' | 'private'): UnknownObject {
    const { member, key } = this.#listing;
    const { limits, cache } = this.#definition;
    const start = cursor === undefined ? 0 : this.#after(cursor, items);
    const end = start + limits.pageSize;
    const page = items.slice(start, end);
    const last = end < items.length ? page.at(-1) : undefined;
    return {
      [member]: page,
      ...(last !== undefined && { nextCursor: writeCursor(key(last)) }),
      ttlMs: cache.lists ?? 0,
      cacheScope,
    };
  }

  #after(cursor: string, items: readonly Item[]): number {
    const last = readCursor(cursor);
    const index = last === undefined ? -1 : items.findIndex((item) => this.#listing.key(item) === last);
    if (index >= 0) return index + 1;
    throw new RpcError(
      ErrorCode.invalidParams,
      'params.cursor: not a cursor of this list, or its item is gone',
    );
  }
}

function itemsOf<Item>(entries: Iterable<ListedEntry<Item>>): Item[] {
  return Array.from(entries, (entry) => entry.definition);
}

function writeCursor(name: string): string {
  return toBase64Url(new TextEncoder().encode(name));
}

// Each name has one cursor and no other, so that pages are kept under as many cursors as there are pages.
function readCursor(cursor: string): string | undefined {
  const bytes = cursor.length > longestCursor ? undefined : fromBase64Url(cursor);
  if (bytes === undefined) return undefined;
  const name = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  return writeCursor(name) === cursor ? name : undefined;
}
