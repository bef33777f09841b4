import {
  type CacheHints,
  type Implementation,
  type Meta,
  metaKeyFlaw,
  type Revision,
  type ServerCapabilities,
} from '@tenon/mcp-protocol';
import type { ExtendedRevisions } from '@tenon/mcp-protocol/internal';
import type {
  Cancelled,
  Clock,
  HandlingBounds,
  Middleware,
  NotificationHandler,
  RequestHandler,
} from '@tenon/mcp-session';
import type { Redactor } from '@tenon/redaction';
import type { RoundsOptions } from './asking/rounds.js';
import type { Audience, Change } from './audience.js';
import type { OfferedExtensions } from './extensions/offered.js';
import type { Features } from './feature.js';
import type { ServerLimits } from './limits.js';
import type { Rates } from './rates.js';
import type { Validator } from './schemas/validator.js';

/** How long and by whom lists may be reused, where the revision has such hints. */
export interface CacheOptions {
  /** Milliseconds a list stays fresh. Default 0. */
  readonly lists?: number;
  /**
   * Lets shared caches keep lists that are the same for everybody although callers are asked who they are, and so give them
   * to people who were never asked. Default false.
   */
  readonly shared?: boolean;
}

/** Who may reuse a result. */
export type CacheScope = NonNullable<CacheHints['cacheScope']>;

/** Who may reuse what is the same for every caller, once it was given to one who was asked who he is. */
export function scopeFor({ shared }: CacheOptions): CacheScope {
  return shared === true ? 'public' : 'private';
}

/** What is wrong with how long something may be reused; undefined for what is right, or not given. */
export function lifetimeFlaw(ttl: number | undefined): string | undefined {
  return ttl === undefined || (Number.isSafeInteger(ttl) && ttl >= 0)
    ? undefined
    : `must be a whole number of milliseconds, 0 or more, not ${ttl}`;
}

/** What is wrong with what is said of reuse, to follow "a result"; undefined for nothing. */
export function hintsFlaw({ ttlMs, cacheScope }: CacheHints): string | undefined {
  const flaw = lifetimeFlaw(ttlMs);
  if (flaw !== undefined) return `has a "ttlMs" that ${flaw}`;
  return cacheScope === undefined || cacheScope === 'public' || cacheScope === 'private'
    ? undefined
    : `has a "cacheScope" that is neither "public" nor "private": ${JSON.stringify(cacheScope)}`;
}

/** What all features of one server share. Holds no peer's data. */
export interface Definition {
  readonly info: Implementation;
  readonly instructions: string | undefined;
  readonly revisions: readonly Revision[];
  /** Where methods and notifications outside the core are added to these revisions. */
  readonly spoken: ExtendedRevisions;
  readonly limits: ServerLimits;
  /** Validates plain schemas; undefined for the default. */
  readonly validator: Validator | undefined;
  readonly rates: Rates;
  readonly handling: HandlingBounds;
  readonly clock: Clock;
  readonly audience: Audience;
  readonly cache: CacheOptions;
  readonly rounds: RoundsOptions;
  readonly onError: (error: unknown, where: string) => void;
  readonly onCancelled?: (cancelled: Cancelled) => void;
  readonly onGone?: (cancelled: Cancelled) => void;
  /** What of a log message may leave. */
  readonly redact: Redactor;
  /** What callers read of an error that was not meant for them; absent where errors are hidden. */
  readonly exposed?: (thrown: unknown) => string | undefined;
  readonly features: Features;
  readonly requests: Map<string, RequestHandler>;
  readonly notifications: Map<string, NotificationHandler>;
  readonly middleware: Middleware[];
  readonly capabilities: Capabilities;
  readonly extensions: OfferedExtensions;
}

/** What the server declares in a revision: the core's capabilities, and the extensions that are offered there. */
export function declaredIn({ capabilities, extensions }: Definition, revision: Revision): ServerCapabilities {
  const offered = extensions.in(revision);
  return offered === undefined ? capabilities.declared : { ...capabilities.declared, extensions: offered };
}

/** What the server declares; features add to it when they are first used. */
export class Capabilities {
  #declared: ServerCapabilities;
  #version = 0;

  constructor(own: ServerCapabilities) {
    this.#declared = own;
  }

  get declared(): ServerCapabilities {
    return this.#declared;
  }

  /** Grows with every change. */
  get version(): number {
    return this.#version;
  }

  add(more: ServerCapabilities): void {
    this.#declared = { ...this.#declared, ...more };
    this.#version++;
  }
}

/** The list-changed notification of each kind of entry. */
export const listChanged: Readonly<Record<'tools' | 'prompts' | 'resources', Change['method']>> = {
  tools: 'notifications/tools/list_changed',
  prompts: 'notifications/prompts/list_changed',
  resources: 'notifications/resources/list_changed',
};

/**
 * Metadata as an entry carries it.
 * @throws TypeError for a key the specification does not allow.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic#_meta
 */
export function checkedMeta(owner: string, meta: Meta | undefined): { readonly _meta?: Meta } {
  for (const key of Object.keys(meta ?? {})) {
    const flaw = metaKeyFlaw(key);
    if (flaw !== undefined) throw new TypeError(`${owner}: the metadata key "${key}" ${flaw}.`);
  }
  return meta === undefined ? {} : { _meta: meta };
}
