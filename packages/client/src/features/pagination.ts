import { ErrorCode, type PageParams, type PageResult, RemoteError, SessionError } from '@tenon/mcp-protocol';
import type { CallOptions } from '../calls/call-options.js';

/** One page of a list. */
export type Page<Item> = PageResult & {
  readonly items: readonly Item[];
};

/** Options of reading a list. */
export interface ListSettings {
  /** The most pages of one iteration. */
  readonly limit: number;
  readonly call: CallOptions | undefined;
}

/** Returns the params of a page. */
export function pageParams(cursor: string | undefined): PageParams {
  return cursor === undefined ? {} : { cursor };
}

/** A list that is read page by page when it is iterated. https://modelcontextprotocol.io/specification/latest/server/utilities/pagination */
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

  /**
   * The whole list. Rejects as iterating does, but when the server takes its own cursor for a wrong one, as after a
   * change, the list is read from its beginning once more.
   */
  async all(): Promise<Item[]> {
    const progress = { pages: 0 };
    try {
      return await this.#gather(progress);
    } catch (error) {
      const isBadCursor = error instanceof RemoteError && error.code === ErrorCode.invalidParams;
      if (!isBadCursor || progress.pages === 0) throw error;
      return this.#gather({ pages: 0 });
    }
  }

  async #gather(progress: { pages: number }): Promise<Item[]> {
    const items: Item[] = [];
    for await (const page of this.#pages()) {
      progress.pages++;
      for (const item of page.items) items.push(item);
    }
    return items;
  }

  /**
   * Reads page after page. Cursors are the server's: nothing is made of them, not even of one that comes back.
   * @throws SessionError `limit` when there are too many pages.
   */
  async *[Symbol.asyncIterator](): AsyncIterator<Item> {
    for await (const page of this.#pages()) yield* page.items;
  }

  async *#pages(): AsyncGenerator<Page<Item>> {
    let cursor: string | undefined;
    for (let count = 1; ; count++) {
      const page = await this.#fetch(cursor);
      yield page;
      // An empty cursor is a cursor too.
      cursor = page.nextCursor;
      if (cursor === undefined) return;
      if (count >= this.#limit)
        throw new SessionError('limit', `The list has more than ${this.#limit} pages.`);
    }
  }
}
