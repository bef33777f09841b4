import type { Clock } from '@tenon/foundation';
import type { Redactor } from '@tenon/foundation/redaction';
import {
  type CacheHints,
  type Extensions,
  type Implementation,
  type Meta,
  metaKeyProblem,
  type Revision,
  type ServerCapabilities,
  type Tool,
  type UnknownObject,
} from '@tenon/mcp-protocol';
import { type ExtendedRevisions, idempotencyKey } from '@tenon/mcp-protocol/internal';
import type {
  Cancelled,
  HandlingBounds,
  IncomingRequest,
  Middleware,
  NotificationHandler,
  RequestHandler,
} from '@tenon/mcp-session';
import type { ClusterNode, State } from '@tenon/mcp-state';
import type { Rates } from '../budget/rates.js';
import type { Audience, Change } from '../core/audience.js';
import type { Features } from '../core/feature.js';
import type { ServerLimits } from '../core/limits.js';
import type { Protection } from '../core/protection.js';
import type { RepeatedCalls } from '../journal/repeated-calls.js';
import type { Rule } from '../registration/members.js';
import type { RunOptions } from '../run/run.js';
import type { Validator } from '../schemas/validator.js';

/** Cache hints of lists: how long, and by which callers, lists may be reused, in revisions with such hints. */
export interface CacheOptions {
  /** Milliseconds for which a list stays fresh. Default: 0. */
  readonly lists?: number;
  /**
   * True to let shared caches store lists that are the same for all callers although callers are authenticated. Such caches
   * return them to unauthenticated callers too. Default: false.
   */
  readonly shared?: boolean;
}

/** The scope in which a result may be reused. */
export type CacheScope = NonNullable<CacheHints['cacheScope']>;

/** Returns the scope of results that are the same for every caller, if callers are authenticated. */
export function scopeFor({ shared }: CacheOptions): CacheScope {
  return shared === true ? 'public' : 'private';
}

/** Returns the problem of a time to live; undefined if it is valid or absent. */
export function lifetimeProblem(ttl: number | undefined): string | undefined {
  return ttl === undefined || (Number.isSafeInteger(ttl) && ttl >= 0)
    ? undefined
    : `must be a whole number of milliseconds, 0 or more, not ${ttl}`;
}

/** Returns the problem of cache hints, to follow "a result"; undefined if there is none. */
export function hintsProblem({ ttlMs, cacheScope }: CacheHints): string | undefined {
  const problem = lifetimeProblem(ttlMs);
  if (problem !== undefined) return `has a "ttlMs" that ${problem}`;
  return cacheScope === undefined || cacheScope === 'public' || cacheScope === 'private'
    ? undefined
    : `has a "cacheScope" that is neither "public" nor "private": ${JSON.stringify(cacheScope)}`;
}

/** The data that all features of one server share. It contains no data of a peer. */
export interface Definition {
  readonly info: Implementation;
  readonly instructions: string | undefined;
  readonly revisions: readonly Revision[];
  /** The revisions, with methods and notifications outside the core. */
  readonly spoken: ExtendedRevisions;
  readonly limits: ServerLimits;
  /** Validates plain schemas; undefined for the default. */
  readonly validator: Validator | undefined;
  readonly protection: Protection;
  readonly rates: Rates;
  readonly handling: HandlingBounds;
  readonly clock: Clock;
  /** The part of the option `state` that belongs to servers with this name; undefined for a server without it. */
  readonly state: State | undefined;
  /** This process among those that share the server's state; undefined for a server on its own. */
  readonly cluster: ClusterNode | undefined;
  /** The tool calls that clients may repeat; undefined without shared state. */
  readonly journal: RepeatedCalls | undefined;
  readonly audience: Audience;
  readonly cache: CacheOptions;
  readonly runs: RunOptions;
  readonly onError: (error: unknown, where: string) => void;
  readonly onCancelled?: (cancelled: Cancelled) => void;
  readonly onGone?: (cancelled: Cancelled) => void;
  /** Redacts a log message before it is sent. */
  readonly redact: Redactor;
  /** Returns the message of an internal error for callers; absent if errors are hidden. */
  readonly exposed?: (thrown: unknown) => string | undefined;
  readonly features: Features;
  readonly requests: Map<string, RequestHandler>;
  readonly notifications: Map<string, NotificationHandler>;
  readonly middleware: Middleware[];
  readonly roundOf: (request: IncomingRequest) => Promise<number>;
  readonly capabilities: Capabilities;
  /** Undefined for a server without extensions. */
  readonly extensions: ServerExtensions | undefined;
}

/** Members of a listed tool that are left to extensions. */
export type ListedMembers = Partial<Pick<Tool, 'execution'>>;

/** A value of each tool option that a tool was registered with, and the metadata and members that follow from them. */
export interface GivenOptions {
  readonly values: UnknownObject;
  readonly meta: Meta | undefined;
  readonly entry: ListedMembers | undefined;
}

/** The extensions of a server, as the features of the core use them. */
export interface ServerExtensions {
  /** Returns the settings that the server advertises in a revision; undefined if there are none. */
  in(revision: Revision): Extensions | undefined;
  /** Returns the capabilities of the core that extensions implement in a revision. */
  capabilitiesIn(revision: Revision): ServerCapabilities | undefined;
  /** Returns the capabilities of a client that belong to extensions. */
  declaredBy(capabilities: UnknownObject, revision: Revision): { readonly extensions?: Extensions };
  /** @throws RpcError missing capability if the client must declare an extension and did not. */
  requireDeclared(
    extension: { readonly id: string },
    request: Pick<IncomingRequest, 'from' | 'revision'>,
    what: string,
  ): void;
  /** Returns the members of the filter of a listen stream that belong to extensions, as they accept them. */
  listenFilters(request: IncomingRequest, wanted: UnknownObject): UnknownObject | Promise<UnknownObject>;
  /** Returns the rules of the options that extensions add to the tool of that name. */
  toolRules(name: string): Readonly<Record<string, Rule>>;
  toolOptions(name: string, options: object): GivenOptions;
}

/** Returns the capabilities in a revision: the core's, those and the settings of extensions, and the journal. */
export function declaredIn(
  { capabilities, extensions, journal }: Definition,
  revision: Revision,
): ServerCapabilities {
  let offered: ServerCapabilities['extensions'] = extensions?.in(revision);
  if (journal !== undefined && revision.lifecycle === 'stateless')
    offered = { ...offered, [idempotencyKey]: {} };
  const added = extensions?.capabilitiesIn(revision);
  if (offered === undefined && added === undefined) return capabilities.declared;
  return {
    ...capabilities.declared,
    ...added,
    ...(offered !== undefined && { extensions: offered }),
  };
}

/** The declared capabilities; features add to them when they are first used. */
export class Capabilities {
  #declared: ServerCapabilities;
  #version = 0;

  constructor(own: ServerCapabilities) {
    this.#declared = own;
  }

  get declared(): ServerCapabilities {
    return this.#declared;
  }

  /** A number that grows with every change. */
  get version(): number {
    return this.#version;
  }

  add(more: ServerCapabilities): void {
    this.#declared = { ...this.#declared, ...more };
    this.#version++;
  }
}

/** The list-changed notification of each type of entry. */
export const listChanged: Readonly<Record<'tools' | 'prompts' | 'resources', Change['method']>> = {
  tools: 'notifications/tools/list_changed',
  prompts: 'notifications/prompts/list_changed',
  resources: 'notifications/resources/list_changed',
};

/**
 * Returns the metadata of an entry.
 * @throws TypeError if the specification does not allow a key.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic#_meta
 */
export function checkedMeta(owner: string, meta: Meta | undefined): { readonly _meta?: Meta } {
  for (const key of Object.keys(meta ?? {})) {
    const problem = metaKeyProblem(key);
    if (problem !== undefined) throw new TypeError(`${owner}: the metadata key "${key}" ${problem}.`);
  }
  return meta === undefined ? {} : { _meta: meta };
}
