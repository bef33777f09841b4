import { ErrorCode, type Principal, RpcError, type UnknownObject } from '@tenon/mcp-protocol';
import type { HandlerParts } from '../context/context.js';
import type { Audience } from '../core/audience.js';
import { type CacheOptions, type CacheScope, scopeFor } from '../core/cache-hints.js';
import type { Features } from '../core/feature.js';
import type { Entry, Registry } from '../core/registry.js';
import { printOf, readCursor, writeCursor } from './cursors.js';

/** An entry, and its item in a list. */
export interface ListedEntry<Item> extends Entry {
  readonly definition: Item;
}

/** The definition of a list. */
export interface Listing<Item> {
  readonly registry: Registry<ListedEntry<Item>>;
  /** The member of the result that holds the items. */
  readonly member: 'tools' | 'prompts' | 'resources' | 'resourceTemplates';
  /** Returns the unique name of an item: the name it is registered under. */
  readonly key: (item: Item) => string;
}

/** The parts of a server that its tools, prompts and resources use. */
export interface EntryParts extends HandlerParts {
  readonly audience: Audience;
  readonly cache: CacheOptions;
  readonly features: Features;
}

/** The finished pages, by their cursor. */
type Pages = Map<string | undefined, UnknownObject>;

/** The items of a list for one caller, and their numbers. */
interface Items<Item> {
  readonly items: readonly Item[];
  readonly cacheScope: CacheScope;
  /** Grows from item to item. */
  readonly number: (index: number) => number;
  /** Returns the index of the first item after a mark, if the marked item has moved or is gone. */
  readonly resume: (mark: number, moved: number) => number | undefined;
}

/**
 * One list of a method, page by page, in the order of registration: an entry that is removed and registered again
 * moves to the end. Pages that are the same for every caller are made once.
 */
export class List<Item> {
  readonly #server: Pick<EntryParts, 'cache' | 'context'>;
  readonly #listing: Listing<Item>;
  #version = -1;
  readonly #pages: Readonly<Record<CacheScope, Pages>> = { public: new Map(), private: new Map() };

  constructor(server: Pick<EntryParts, 'cache' | 'context'>, listing: Listing<Item>) {
    this.#server = server;
    this.#listing = listing;
  }

  /**
   * Returns the page of a caller from a cursor on; the same object while nothing changes.
   * @throws RpcError invalid params if the cursor is not of this list.
   */
  get(cursor: string | undefined, principal: Principal | undefined): UnknownObject {
    const { registry } = this.#listing;
    if (registry.guarded)
      return this.#page(this.#registered(registry.visibleTo(principal), 'private'), cursor);
    if (registry.version !== this.#version) {
      this.#pages.public.clear();
      this.#pages.private.clear();
      this.#version = registry.version;
    }
    const scope = principal === undefined ? 'public' : scopeFor(this.#server.cache);
    const kept = this.#pages[scope].get(cursor);
    if (kept !== undefined) return kept;
    const list = this.#registered(registry.all(), scope);
    const page = this.#page(list, cursor);
    this.#keep(cursor, page, list);
    return page;
  }

  /**
   * Returns the page of these items after a cursor; they belong to this caller only, in the order of their list.
   * @throws RpcError invalid params if the cursor is not of this list.
   */
  page(items: readonly Item[], cursor: string | undefined): UnknownObject {
    const number = (index: number) => index + 1;
    // A list by the author may have any order: the new position of the item is the best guess.
    const resume = (mark: number, moved: number) =>
      moved >= 0 ? moved + 1 : Math.min(mark - 1, items.length);
    return this.#page({ items, cacheScope: 'private', number, resume }, cursor);
  }

  #registered(entries: Iterable<ListedEntry<Item>>, cacheScope: CacheScope): Items<Item> {
    const { registry, key } = this.#listing;
    const items = Array.from(entries, (entry) => entry.definition);
    const number = (index: number) => {
      const item = items[index];
      return item === undefined ? Number.POSITIVE_INFINITY : (registry.numberOf(key(item)) ?? 0);
    };
    // The item may have been registered again, at the end, or this process may have other registrations than the process that
    // that wrote the cursor: the earlier position repeats some items rather than skip any. If the item is
    // gone and another item has its number, every position may skip items.
    const resume = (mark: number, moved: number) => {
      const from = moved < 0 ? mark : Math.min(mark, number(moved));
      const next = firstAfter(from, items.length, number);
      const isOthers = moved < 0 && next > 0 && number(next - 1) === mark;
      return from > registry.lastNumber || isOthers ? undefined : next;
    };
    return { items, cacheScope, number, resume };
  }

  #page(list: Items<Item>, cursor: string | undefined): UnknownObject {
    const { member, key } = this.#listing;
    const { context, cache } = this.#server;
    const { items, cacheScope, number } = list;
    const start = cursor === undefined ? 0 : this.#after(cursor, list);
    const end = start + context.limits.pageSize;
    const page = items.slice(start, end);
    const last = end < items.length ? page.at(-1) : undefined;
    const mark = last === undefined ? undefined : { number: number(end - 1), print: printOf(key(last)) };
    return {
      [member]: page,
      ...(mark !== undefined && { nextCursor: writeCursor(member, mark) }),
      ttlMs: cache.lists ?? 0,
      cacheScope,
    };
  }

  #after(cursor: string, list: Items<Item>): number {
    const { member, key } = this.#listing;
    const { items, number, resume } = list;
    const mark = readCursor(member, cursor);
    if (mark !== undefined) {
      const is = (item: Item | undefined) => item !== undefined && printOf(key(item)) === mark.print;
      const next = firstAfter(mark.number, items.length, number);
      if (next > 0 && number(next - 1) === mark.number && is(items[next - 1])) return next;
      const index = resume(mark.number, items.findIndex(is));
      if (index !== undefined) return index;
    }
    throw new RpcError(
      ErrorCode.invalidParams,
      'params.cursor: not a cursor of this list; ask for the list from its beginning',
    );
  }

  // Cursors from before the last change stay valid, and there may be very many.
  #keep(cursor: string | undefined, page: UnknownObject, { items, cacheScope }: Items<Item>): void {
    const pages = this.#pages[cacheScope];
    const most = Math.max(1, Math.ceil(items.length / this.#server.context.limits.pageSize));
    if (pages.size >= most) {
      const [oldest] = pages.keys();
      pages.delete(oldest);
    }
    pages.set(cursor, page);
  }
}

/** Returns the index of the first item with a greater number. */
function firstAfter(mark: number, length: number, number: (index: number) => number): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (number(middle) > mark) high = middle;
    else low = middle + 1;
  }
  return low;
}
