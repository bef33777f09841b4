import { ErrorCode, type PageParams, type PageResult, RemoteError, SessionError } from '@tenon/mcp-protocol';
import type { CallOptions } from '../calls/call-options.js';
import { charactersPerPart, weigh } from '../calls/tool-store.js';

/** One page of a list. */
export type Page<Item> = PageResult & {
  readonly items: readonly Item[];
};

/** The most that is read of one list. */
export interface ListBounds {
  /** Pages of one iteration. */
  readonly pages: number;
  /** Bytes of the pages of one iteration, in memory: each value counts as 32 at least. */
  readonly listBytes: number;
  /** The function that takes `listBytes` in its option `limits`, for errors, such as `connect()`. Default: none does. */
  readonly optionsOf?: string;
}

/** Options of reading a list. */
export interface ListSettings {
  readonly bounds: ListBounds;
  readonly call: CallOptions | undefined;
}

export function pageParams(cursor: string | undefined): PageParams {
  return cursor === undefined ? {} : { cursor };
}

/** A list that is read page by page when it is iterated. https://modelcontextprotocol.io/specification/latest/server/utilities/pagination */
export class Pages<Item> implements AsyncIterable<Item> {
  readonly #method: string;
  readonly #fetch: (cursor: string | undefined) => Promise<Page<Item>>;
  readonly #bounds: ListBounds;

  /** @param method - the method of the list, for errors. */
  constructor(
    method: string,
    bounds: ListBounds,
    fetch: (cursor: string | undefined) => Promise<Page<Item>>,
  ) {
    this.#method = method;
    this.#fetch = fetch;
    this.#bounds = bounds;
  }

  /** One page: the first, or the one a cursor stands for. */
  page(cursor?: string): Promise<Page<Item>> {
    return this.#fetch(cursor);
  }

  /**
   * Reads the whole list. If the server rejects its own cursor, as after a change, the list is read from its beginning once
   * more. Rejects as iterating does.
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
    for await (const page of this.pages()) {
      progress.pages++;
      for (const item of page.items) items.push(item);
    }
    return items;
  }

  /** Reads the items, page after page; see {@link pages}. */
  async *[Symbol.asyncIterator](): AsyncIterator<Item> {
    for await (const page of this.pages()) yield* page.items;
  }

  /**
   * Reads page after page. Cursors are opaque: a cursor that comes back is sent again.
   * @throws SessionError `limit` when there are too many pages, or too many bytes in all.
   */
  async *pages(): AsyncGenerator<Page<Item>, void, void> {
    const { pages, listBytes } = this.#bounds;
    let free = Math.floor(listBytes / charactersPerPart);
    let cursor: string | undefined;
    for (let count = 1; ; count++) {
      const page = await this.#fetch(cursor);
      free -= weigh(page, free + 1);
      if (free < 0) throw this.#tooLong(`${listBytes} bytes`, this.#bounds.optionsOf);
      yield page;
      // An empty cursor is a cursor too.
      cursor = page.nextCursor;
      if (cursor === undefined) return;
      if (count >= pages) throw this.#tooLong(`${pages} pages`);
    }
  }

  #tooLong(size: string, optionsOf?: string): SessionError {
    const hint =
      optionsOf === undefined ? '' : `: allow more with the option "limits.listBytes" of ${optionsOf}`;
    return new SessionError('limit', `The list of ${this.#method} has more than ${size}${hint}.`);
  }
}
