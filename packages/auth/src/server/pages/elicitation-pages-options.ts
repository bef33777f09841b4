import type { Clock, Principal } from '@tenon/mcp-protocol';
import { type OptionRule, optionRules, requireOptions } from '@tenon/mcp-session/internal';
import { wallClock } from '../../wall-clock.js';
import { requireAddress } from '../trusted-address.js';
import { MemoryPageStore } from './memory-page-store.js';
import type { PageRefusal } from './page-answers.js';
import type { PageStore } from './page-store.js';
import type { PageVisit } from './visit.js';
import type { PagePlace, Visitors } from './visitors.js';

/** Somebody who was not let onto a page. */
export interface RefusedVisit {
  readonly reason: PageRefusal;
  /** Whom the page was made for, where there is such a page. */
  readonly owner?: Principal | undefined;
  /** Who came, where that is known: somebody else than the owner may have been lured. */
  readonly visitor?: Principal | undefined;
  /** What went wrong, for `sign-in-failed`. */
  readonly cause?: unknown;
}

/** Pages for users who were sent to them by an elicitation. Times in milliseconds. */
export interface ElicitationPagesOptions {
  /** Where the handler is mounted: https, or this machine; without query. Everything below it belongs to the pages. */
  readonly url: string;
  /** Tells who opens a page: from the sessions of an application, or by having users sign in ({@link signInAt}). */
  readonly visitors: Visitors | ((place: PagePlace) => Visitors);
  /**
   * Shows the page, and takes what it asks for: called for nobody but the user it was made for. Its answers are kept out of caches
   * and frames; one without a `Content-Security-Policy` gets one under which nothing is loaded, no script runs, and forms
   * lead to the page itself.
   */
  readonly visit: (visit: PageVisit) => Response | Promise<Response>;
  /** How long a page waits for its user. Default 600,000. */
  readonly lifetime?: number;
  /** Characters of JSON of what a page is made with. Default 8,192. */
  readonly dataSize?: number;
  /** Bytes of a form. Default 65,536. */
  readonly formSize?: number;
  /** Default: a {@link MemoryPageStore}. Processes that serve the same pages share one. */
  readonly store?: PageStore;
  /** Hears of who was not let in. */
  readonly onRefused?: (refused: RefusedVisit) => void;
  /** Hears of what `visit` and others throw; the user is told that it did not work. Default: the console's error stream. */
  readonly onError?: (error: unknown) => void;
  readonly clock?: Clock;
}

/** Options with their defaults. */
export interface ElicitationPagesSettings extends PagePlace {
  readonly visitors: Visitors;
  readonly visit: ElicitationPagesOptions['visit'];
  readonly lifetime: number;
  readonly dataSize: number;
  readonly formSize: number;
  readonly onRefused: (refused: RefusedVisit) => void;
  readonly onError: (error: unknown) => void;
}

const { positive, text, callable, object } = optionRules;

const visitorsRule: OptionRule = {
  is: 'what signInAt() gives, or an object with a function identify',
  allows: (value) =>
    callable.allows(value) || (object.allows(value) && callable.allows((value as Visitors).identify)),
};

/** @throws TypeError or RangeError for options that cannot work. */
export function checkedPagesOptions(options: ElicitationPagesOptions): ElicitationPagesSettings {
  const owner = 'elicitationPages';
  requireOptions<ElicitationPagesOptions>(owner, options, {
    ...{ url: text, visitors: visitorsRule, visit: callable, lifetime: positive, dataSize: positive },
    ...{ formSize: positive, store: object, onRefused: callable, onError: callable, clock: object },
  });
  if (options.visitors === undefined || options.visit === undefined) {
    throw new TypeError(`${owner} needs visitors, to tell who opens a page, and visit, to show it.`);
  }
  const url = requireAddress(`${owner}: url`, options.url);
  if (url.search !== '') throw new TypeError(`${owner}: url must not have a query.`);
  const { visitors, visit, clock = wallClock, onRefused = () => {} } = options;
  const { lifetime = 600_000, dataSize = 8_192, formSize = 65_536 } = options;
  const { store = new MemoryPageStore({ clock }), onError = console.error } = options;
  return {
    ...{ url, visit, clock, store, lifetime, dataSize, formSize, onRefused, onError },
    visitors: typeof visitors === 'function' ? visitors({ url, store, clock }) : visitors,
  };
}

/** An address of the pages below the one they are mounted at. */
export function addressBelow(url: URL, name: string): URL {
  return new URL(`${url.pathname.replace(/\/$/, '')}/${name}`, url.origin);
}
