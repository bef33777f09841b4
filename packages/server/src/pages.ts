import { ErrorCode, type Principal, RpcError } from '@tenon/mcp-protocol';
import type { Entry, Registry } from './registry.js';

/** A list cut into pages. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly nextCursor?: string;
}

const longestCursor = 4_096;

/** How a list is cut. */
export interface Cut<Item> {
  /** Items on one page. */
  readonly size: number;
  /** Where to go on; undefined for the first page. */
  readonly cursor: string | undefined;
  /** The name under which an item stands; a cursor names the last item of the page before. */
  readonly key: (item: Item) => string;
}

/**
 * Cuts one page out of a list.
 * @throws RpcError invalid params for a cursor this list never gave.
 */
export function pageOf<Item>(items: readonly Item[], { size, cursor, key }: Cut<Item>): Page<Item> {
  let start = 0;
  if (cursor !== undefined) {
    const last = readCursor(cursor);
    const index = last === undefined ? -1 : items.findIndex((item) => key(item) === last);
    if (index < 0)
      throw new RpcError(
        ErrorCode.invalidParams,
        'params.cursor: not a cursor of this list, or its item is gone',
      );
    start = index + 1;
  }
  const page = items.slice(start, start + size);
  const last = page.at(-1);
  return last === undefined || start + size >= items.length
    ? { items: page }
    : { items: page, nextCursor: writeCursor(key(last)) };
}

/** Results of a list, made once per registry version and cursor as long as every caller sees the same. */
export class ListResults<E extends Entry, Result extends object> {
  readonly #registry: Registry<E>;
  readonly #make: (entries: readonly E[], cursor: string | undefined, shared: boolean) => Result;
  #version = -1;
  readonly #results = new Map<string | undefined, Result>();

  /** @param make - builds a result; `shared` tells whether every caller sees the same. */
  constructor(
    registry: Registry<E>,
    make: (entries: readonly E[], cursor: string | undefined, shared: boolean) => Result,
  ) {
    this.#registry = registry;
    this.#make = make;
  }

  /** The result for one caller; the same object again while nothing changes. */
  get(cursor: string | undefined, principal: Principal | undefined): Result {
    const registry = this.#registry;
    if (registry.guarded) return this.#make([...registry.visibleTo(principal)], cursor, false);
    if (registry.version !== this.#version) {
      this.#results.clear();
      this.#version = registry.version;
    }
    let result = this.#results.get(cursor);
    if (result === undefined) {
      result = this.#make([...registry.all()], cursor, true);
      this.#results.set(cursor, result);
    }
    return result;
  }
}

function writeCursor(name: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(name)));
}

function readCursor(cursor: string): string | undefined {
  if (cursor.length > longestCursor) return undefined;
  try {
    const bytes = Uint8Array.from(atob(cursor), (character) => character.charCodeAt(0));
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
