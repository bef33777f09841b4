import type { IncomingMessage } from 'node:http';
import { type Clock, withinTime } from '@tenon/foundation';
import type { NodeCall } from './node-call.js';
import { answerPage, type PageHandler, plainText, type ServedPage } from './node-page.js';

/** Public pages beside the endpoint. Neither a guard nor `authenticate` is called for them. */
export interface SidePages {
  /** Paths they answer at, as clients write them; `/connect/*` stands for all below `/connect/`. */
  readonly paths: readonly string[];
  readonly handler: PageHandler;
}

/** Settings that pages share with the port that serves them. */
export interface SidePagesSettings {
  /** Bytes of the body of one request. */
  readonly bodyBytes: number;
  readonly clock: Clock;
  /** Milliseconds that draining waits for running pages. */
  readonly patience: number;
  /** Must not throw. */
  readonly onError: (error: unknown, where: string) => void;
}

/** All pages of one port. */
export class PageRouter {
  readonly #settings: SidePagesSettings;
  readonly #exact = new Map<string, ServedPage>();
  /** Pages by the prefix of their paths. */
  readonly #below = new Map<string, ServedPage>();
  #running = 0;
  #isClosing = false;
  #emptied: (() => void) | undefined;

  /** @throws TypeError if a page is invalid. */
  constructor(pages: readonly SidePages[], settings: SidePagesSettings) {
    this.#settings = settings;
    if (!Array.isArray(pages)) throw new TypeError('pages must be a list of { paths, handler }.');
    for (const one of pages as readonly SidePages[]) this.#add(one);
  }

  /** Exact paths, without those that match a prefix. */
  get paths(): Iterable<string> {
    return this.#exact.keys();
  }

  /** Returns the page at a path. */
  find(path: string): ServedPage | undefined {
    const exact = this.#exact.get(path);
    if (exact !== undefined) return exact;
    for (const [beginning, page] of this.#below) if (path.startsWith(beginning)) return page;
    return undefined;
  }

  async answer(page: ServedPage, call: NodeCall, request: IncomingMessage): Promise<void> {
    if (this.#isClosing) {
      call.send(503, { ...plainText, 'retry-after': '5', connection: 'close' }, 'closing\n');
      return;
    }
    this.#running += 1;
    await answerPage(page, call, request);
    this.#running -= 1;
    if (this.#running === 0) this.#emptied?.();
  }

  /** Stops accepting requests, and waits for the running ones up to the time limit. */
  async drain(): Promise<void> {
    this.#isClosing = true;
    if (this.#running === 0) return;
    const { clock, patience } = this.#settings;
    const emptied = new Promise<void>((resolve) => {
      this.#emptied = resolve;
    });
    await withinTime(emptied, { clock, ms: patience, holds: true });
  }

  #add(one: SidePages): void {
    const { bodyBytes, onError } = this.#settings;
    if (!Array.isArray(one?.paths) || one.paths.length === 0 || typeof one.handler !== 'function') {
      throw new TypeError(
        'Each entry of pages must have paths, such as ["/connect", "/connect/*"], and a handler.',
      );
    }
    const page: ServedPage = { handler: (request) => one.handler(request), bodyBytes, onError };
    for (const path of one.paths) {
      const isBelow = typeof path === 'string' && path.endsWith('/*');
      const [table, key] = isBelow ? [this.#below, path.slice(0, -1)] : [this.#exact, path];
      if (typeof key !== 'string' || !/^\/[\x21\x24-\x29\x2b-\x3e\x40-\x7e]*$/.test(key)) {
        throw new TypeError(
          `pages: ${JSON.stringify(path)} is not a valid path; write one such as "/connect", or "/connect/*" for all paths below it.`,
        );
      }
      if (table.has(key))
        throw new TypeError(`Two entries of pages have the path ${path}; give each its own.`);
      table.set(key, page);
    }
  }
}
