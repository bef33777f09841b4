import type { Clock, Principal } from '@tenon/mcp-server';
import type { State } from '@tenon/mcp-state';
import { MemoryPageStore } from './memory-page-store.js';
import { requirePositive, requireUrl, wallClock } from './options.js';
import type { PageRefusal } from './page-responses.js';
import { StatePageStore } from './state-page-store.js';
import type { PagesContext, PageVisit, Visitors } from './visit.js';

/** A rejected visit of a page. */
export interface RefusedVisit {
  readonly reason: PageRefusal;
  /** The user that the page was made for, if the page exists. */
  readonly owner?: Principal | undefined;
  /** The user who opened it, if known. A user other than the owner may be the target of phishing. */
  readonly visitor?: Principal | undefined;
  /** The error, for `sign-in-failed`. */
  readonly cause?: unknown;
}

/** Options of `elicitationPages`. Times in milliseconds. */
export interface ElicitationPagesOptions {
  /** The URL of the handler: https, or on this machine; without query. All paths below it belong to the pages. */
  readonly url: string;
  /** Identifies the user who opens a page: by the sessions of an application, or by a sign-in ({@link signInAt}). */
  readonly visitors: Visitors | ((pages: PagesContext) => Visitors);
  /**
   * Shows the page, and handles its forms. Called only for the user that the page was made for. Its responses are not cached and
   * not shown in frames. A response without `Content-Security-Policy` gets one that loads nothing, runs no script, and allows
   * forms only to the page itself.
   */
  readonly visit: (visit: PageVisit) => Response | Promise<Response>;
  /** Time until a page expires. Default: 600,000. */
  readonly lifetime?: number;
  /** Characters of the data of a page as JSON, at most. Default: 8,192. */
  readonly dataSize?: number;
  /** Bytes of a form, at most. Default: 65,536. */
  readonly formSize?: number;
  /**
   * State that all processes with the same pages share, such as `redisState(url)`: any of them then answers any visit. It contains the
   * data of pages, and of sign-ins. Default: each process has its own pages, at most 10,000 and 100 of one user.
   */
  readonly state?: State;
  /** Called for each rejected visit. */
  readonly onRefused?: (refused: RefusedVisit) => void;
  /** Receives errors of `visit` and other functions; the user sees an error page. Default: the console's error stream. */
  readonly onError?: (error: unknown) => void;
  /** For tests. Default: the time of day. */
  readonly clock?: Clock;
}

/** Options with defaults. */
export interface ElicitationPagesSettings extends PagesContext {
  readonly visitors: Visitors;
  readonly visit: ElicitationPagesOptions['visit'];
  readonly lifetime: number;
  readonly dataSize: number;
  readonly formSize: number;
  readonly onRefused: (refused: RefusedVisit) => void;
  readonly onError: (error: unknown) => void;
}

/** @throws TypeError or RangeError if an option is invalid. */
export function checkedPagesOptions(options: ElicitationPagesOptions): ElicitationPagesSettings {
  const owner = 'elicitationPages';
  const {
    visitors,
    visit,
    state,
    clock = wallClock,
    onRefused = () => {},
    onError = console.error,
  } = options;
  const { lifetime = 600_000, dataSize = 8_192, formSize = 65_536 } = options;
  const url = requireUrl(`${owner}: url`, options.url);
  if (url.search !== '') throw new TypeError(`${owner}: url must not have a query.`);
  if (typeof visit !== 'function') throw new TypeError(`${owner} needs visit, which shows the page.`);
  requirePositive(owner, { lifetime, dataSize, formSize });
  const store = state?.join !== undefined ? new StatePageStore(state, clock) : new MemoryPageStore({ clock });
  const users = typeof visitors === 'function' ? visitors({ url, store, clock }) : visitors;
  if (typeof users?.identify !== 'function')
    throw new TypeError(
      `${owner} needs visitors: the result of signInAt(), or an object with a function identify.`,
    );
  return { url, visitors: users, visit, clock, store, lifetime, dataSize, formSize, onRefused, onError };
}

/** Returns the URL of a path below the URL of the pages. */
export function addressBelow(url: URL, name: string): URL {
  return new URL(`${url.pathname.replace(/\/$/, '')}/${name}`, url.origin);
}
