import {
  type CacheHints,
  ErrorCode,
  RemoteError,
  type RequestMethod,
  type ResultOf,
  type UnknownObject,
} from '@tenon/mcp-protocol';
import type { Clock } from '@tenon/mcp-session';
import type { CallOptions } from './call-options.js';
import type { CachePlace, ResponseCache } from './response-cache.js';
import type { Session } from './session.js';
import { isPartOf } from './uri-parts.js';

/** Methods whose results say how long they may be reused. */
export type CacheableMethod = Extract<
  RequestMethod,
  | 'server/discover'
  | 'tools/list'
  | 'prompts/list'
  | 'resources/list'
  | 'resources/templates/list'
  | 'resources/read'
>;

const cacheable: ReadonlySet<string> = new Set<CacheableMethod>([
  'server/discover',
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
]);

/** True for a method whose results may be reused. */
export function isCacheable(method: RequestMethod): method is CacheableMethod {
  return cacheable.has(method);
}

/** What keeping responses needs to know of its client. */
export interface CachingSettings {
  readonly clock: Clock;
  /** The address of the server; undefined where it is nobody else's, as a child process is. */
  readonly address: string | undefined;
  /** Whom private responses are for; undefined for this client alone. */
  readonly identity: string | undefined;
}

/** A response that is on its way. */
export interface Awaited {
  readonly method: CacheableMethod;
  readonly params: UnknownObject;
  /** What its group is when it is meant for everybody, and when it is not. */
  readonly shared: CachePlace;
  readonly own: CachePlace;
  readonly mark: number;
}

let clients = 0;
const longestName = 128;

/**
 * Decides which responses of one server are kept, for whom and for how long.
 * https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/caching
 */
export class Caching {
  readonly #cache: ResponseCache;
  readonly #clock: Clock;
  readonly #address: string;
  readonly #identity: string;
  /** What the first page of each list said of its scope. */
  readonly #scopes = new Map<string, CacheHints['cacheScope']>();
  /** Lists whose pages did not agree: they are private from then on. */
  readonly #mixed = new Set<string>();
  /** Where the responses of the server of the session at present are; undefined until there is one. */
  #groups: ReadonlyMap<string, Groups> | undefined;

  constructor(cache: ResponseCache, { clock, address, identity }: CachingSettings) {
    this.#cache = cache;
    this.#clock = clock;
    const self = ++clients;
    this.#address = address ?? `client ${self}`;
    this.#identity = identity === undefined ? `client ${self}` : `identity ${identity}`;
  }

  /** A session begins. One that replaces another may have missed what the server told: nothing of it is reused. */
  begin({ revision, server, description }: Session): void {
    this.missed();
    const release = [server?.name, server?.version].map((text) => text?.slice(0, longestName));
    const name = JSON.stringify([this.#address, revision.id, ...release]);
    this.#groups = new Map([...cacheable].map((method) => [method, this.#groupsOf(method, name)]));
    this.#scopes.clear();
    const awaited = this.expect('server/discover', {}, undefined);
    if (awaited !== undefined && description !== undefined) this.keep(awaited, description);
  }

  /** Nothing is known of the server until another session begins; what was kept of it waits. */
  expect(
    method: CacheableMethod,
    params: UnknownObject,
    options: CallOptions | undefined,
  ): Awaited | undefined {
    const groups = this.#groups?.get(method);
    if (groups === undefined || isItsOwn(params, options)) return undefined;
    const key = keyOf(params);
    return {
      method,
      params,
      shared: { group: groups.shared, key },
      own: { group: groups.own, key },
      mark: this.#cache.mark(),
    };
  }

  /** The result kept of an earlier request like this one, if it is fresh. */
  find<M extends CacheableMethod>({ params, shared, own }: Awaited, method: M): ResultOf<M> | undefined {
    const now = this.#clock.now();
    let text = this.#cache.get(own, now);
    if (text === undefined) {
      text = this.#cache.get(shared, now);
      if (text === undefined) return undefined;
      if (params.cursor === undefined) this.#scopes.set(method, 'public');
    }
    return JSON.parse(text) as ResultOf<M>;
  }

  /** Keeps the answer to a request, if its server says for how long. */
  keep(awaited: Awaited, result: CacheHints): void {
    const { shared, own, mark } = awaited;
    const isShared = this.#isShared(awaited, result.cacheScope);
    const ttlMs = freshFor(result);
    const [place, other] = isShared ? [shared, own] : [own, shared];
    // What the other audience has of it would be found in its stead.
    this.#cache.delete(other);
    if (ttlMs === 0) this.#cache.delete(place);
    else this.#cache.set(place, { text: JSON.stringify(result), receivedAt: this.#clock.now(), ttlMs }, mark);
  }

  /** A request failed. When its cursor is no good any more, all pages are forgotten. */
  failed({ method, params, shared, own }: Awaited, error: unknown): void {
    if (!isRefusal(error)) return;
    if (params.cursor !== undefined) this.#drop(method);
    for (const place of [shared, own]) this.#cache.delete(place);
  }

  /** The server said that a list has changed. */
  listChanged(list: 'tools' | 'prompts' | 'resources'): void {
    this.#drop(`${list}/list`);
    if (list === 'resources') this.#drop('resources/templates/list');
  }

  /** The server said that a resource, or a part of one, has changed. */
  resourceUpdated(uri: string): void {
    this.#drop(
      'resources/read',
      (key) => !key.startsWith(uriMark) || isPartOf(uri, key.slice(uriMark.length)),
    );
  }

  /** Changes may have gone unheard. */
  missed(): void {
    for (const method of cacheable) this.#drop(method);
  }

  /** A call was refused as if its server offered something else than it listed: the list is read anew next time. */
  doubt(method: string, error: unknown): void {
    if (isRefusal(error)) for (const list of doubted.get(method) ?? []) this.#drop(list);
  }

  /** Whether everybody may have it. The pages of a list have one scope: its first page's, or the stricter one. */
  #isShared({ method, params, shared }: Awaited, scope: CacheHints['cacheScope']): boolean {
    if (!method.endsWith('/list')) return scope === 'public';
    if (params.cursor === undefined) this.#scopes.set(method, scope);
    const first = this.#scopes.get(method);
    if (first !== scope && first !== undefined) {
      this.#mixed.add(method);
      this.#cache.drop(shared.group);
    }
    return first === 'public' && !this.#mixed.has(method);
  }

  #drop(method: string, which?: (key: string) => boolean): void {
    const groups = this.#groups?.get(method);
    if (groups === undefined) return;
    this.#cache.drop(groups.shared, which);
    this.#cache.drop(groups.own, which);
  }

  #groupsOf(method: string, server: string): Groups {
    return {
      shared: JSON.stringify([method, server]),
      own: JSON.stringify([method, server, this.#identity]),
    };
  }
}

/** Where the responses to one method are kept: what is for everybody, and what is not. */
interface Groups {
  readonly shared: string;
  readonly own: string;
}

/** Lists that promise what these methods are called with. */
const doubted: ReadonlyMap<string, readonly CacheableMethod[]> = new Map([
  ['tools/call', ['tools/list']],
  ['prompts/get', ['prompts/list']],
  ['resources/read', ['resources/list', 'resources/templates/list']],
]);

/** Params and options that may change the answer in ways no key holds, or that are an answer to the server. */
function isItsOwn(params: UnknownObject, options: CallOptions | undefined): boolean {
  if (options?.headers !== undefined || options?.meta !== undefined) return true;
  return '_meta' in params || 'inputResponses' in params || 'requestState' in params;
}

const uriMark = 'uri ';

/** Whatever of the params may affect the result. A URI stands as it is, so that updates of it are cheap to match. */
function keyOf(params: UnknownObject): string {
  const { uri, ...rest } = params;
  return typeof uri === 'string' && Object.keys(rest).length === 0 ? uriMark + uri : JSON.stringify(params);
}

/** Milliseconds a result is fresh; 0 for whatever is no positive whole number. */
function freshFor({ ttlMs }: CacheHints): number {
  return ttlMs !== undefined && Number.isInteger(ttlMs) && ttlMs > 0 ? ttlMs : 0;
}

const refusals: ReadonlySet<number> = new Set([
  ErrorCode.methodNotFound,
  ErrorCode.invalidParams,
  ErrorCode.resourceNotFound,
]);

/** The server does not have what it was asked for. */
function isRefusal(error: unknown): boolean {
  return error instanceof RemoteError && refusals.has(error.code);
}
