import { type PageParams, type PageResult, SessionError } from '@tenon/mcp-protocol';
import { type CallOptions, withMeta } from '../call-options.js';

/** One page of a list. */
export type Page<Item> = PageResult & {
  readonly items: readonly Item[];
};

/** How a list is read. */
export interface ListSettings {
  /** Pages read in one iteration at most. */
  readonly limit: number;
  readonly call: CallOptions | undefined;
}

/** The params that ask for a page. */
export function pageParams(cursor: string | undefined, options: CallOptions | undefined): PageParams {
  return withMeta<PageParams>(cursor === undefined ? {} : { cursor }, options);
}

/** A list read page by page, when it is iterated. https://modelcontextprotocol.io/specification/latest/server/utilities/pagination */
export class Pages<Item> implements AsyncIterable<Item> {
  readonly #fetch: (cursor: string | undefined) => Promise<Page<Item>>;
  readonly #limit: number;

  /** @param limit - pages read in one iteration at most. */
  constructor(fetch: (cursor: string | undefined) => Promise<Page<Item>>, limit: number) {
    this.#fetch = fetch;
    this.#limit = limit;
  }

  /** One page: the first, or the one a cursor stands for. */
  page(cursor?: string): Promise<Page<Item>> {
    return this.#fetch(cursor);
  }

  /** The whole list. Rejects as iterating does. */
  async all(): Promise<Item[]> {
    const items: Item[] = [];
    for await (const item of this) items.push(item);
    return items;
  }

  /**
   * Reads page after page.
   * @throws SessionError `invalid-answer` when a cursor comes back, `limit` when there are too many pages.
   */
  async *[Symbol.asyncIterator](): AsyncIterator<Item> {
    const seen = new Set<string>();
    let cursor: string | undefined;
    for (let count = 1; ; count++) {
      const page = await this.#fetch(cursor);
      yield* page.items;
      // An empty cursor is a cursor too.
      cursor = page.nextCursor;
      if (cursor === undefined) return;
      if (seen.has(cursor))
        throw new SessionError('invalid-answer', 'The server gave the same cursor twice.');
      if (count >= this.#limit)
        throw new SessionError('limit', `The list has more than ${this.#limit} pages.`);
      seen.add(cursor);
    }
  }
}
