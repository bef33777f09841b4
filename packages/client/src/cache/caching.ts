import type { Clock } from '@tenon/foundation';
import {
  type CacheHints,
  ErrorCode,
  RemoteError,
  type RequestMethod,
  type ResultOf,
  type UnknownObject,
} from '@tenon/mcp-protocol';
import type { Session } from '../session/session.js';
import type { CachePlace, ResponseCache } from './response-cache.js';

/** Methods with results that have a time to live. */
const cacheableMethods = [
  'server/discover',
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
] as const;

export type CacheableMethod = (typeof cacheableMethods)[number];

const cacheable: ReadonlySet<string> = new Set(cacheableMethods);

/** True for a method with results that may be reused. */
export function isCacheable(method: RequestMethod): method is CacheableMethod {
  return cacheable.has(method);
}

export interface CachingSettings {
  readonly clock: Clock;
  /** The address of the server; undefined if only this client uses it, like a child process. */
  readonly address: string | undefined;
  /** The owner of private responses; undefined for this client alone. */
  readonly identity: string | undefined;
}

/** Options of a call that may change the answer. */
interface ChangingOptions {
  readonly headers?: object;
  readonly meta?: object;
}

/** The response that a request will have, and its places. */
export interface ExpectedResponse {
  readonly method: CacheableMethod;
  readonly params: UnknownObject;
  /** The group of a public and of a private response. */
  readonly shared: CachePlace;
  readonly own: CachePlace;
  readonly mark: number;
}

let clients = 0;
const longestName = 128;

/**
 * Decides which responses of one server are stored, for which owner and for how long.
 * https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/caching
 */
export class Caching {
  readonly #cache: ResponseCache;
  readonly #clock: Clock;
  readonly #address: string;
  readonly #identity: string;
  /** The scope of the first page of each list. */
  readonly #scopes = new Map<string, CacheHints['cacheScope']>();
  /** Lists with pages of different scopes: they are private from then on. */
  readonly #mixed = new Set<string>();
  /** The place of the responses of the current server; undefined until there is one. */
  #groups: ReadonlyMap<string, Groups> | undefined;

  constructor(cache: ResponseCache, { clock, address, identity }: CachingSettings) {
    this.#cache = cache;
    this.#clock = clock;
    const self = ++clients;
    this.#address = address ?? `client ${self}`;
    this.#identity = identity === undefined ? `client ${self}` : `identity ${identity}`;
  }

  /** A session begins. If it replaces another, notifications may have been missed: nothing is reused. */
  begin({ revision, server, description }: Session): void {
    this.missed();
    const release = [server?.name, server?.version].map((text) => text?.slice(0, longestName));
    const name = JSON.stringify([this.#address, revision.id, ...release]);
    const groupsOf = (method: string): Groups => ({
      shared: JSON.stringify([method, name]),
      own: JSON.stringify([method, name, this.#identity]),
    });
    this.#groups = new Map(cacheableMethods.map((method) => [method, groupsOf(method)]));
    this.#scopes.clear();
    const expected = this.expect('server/discover', {}, undefined);
    if (expected !== undefined && description !== undefined) this.keep(expected, description);
  }

  /** Returns the place of the response to a request; undefined if the response is neither stored nor reused. */
  expect(
    method: CacheableMethod,
    params: UnknownObject,
    options: ChangingOptions | undefined,
  ): ExpectedResponse | undefined {
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

  /** Returns the stored result of an earlier equal request, if it is fresh. */
  find<M extends CacheableMethod>(
    { params, shared, own }: ExpectedResponse,
    method: M,
  ): ResultOf<M> | undefined {
    const now = this.#clock.now();
    let text = this.#cache.get(own, now);
    if (text === undefined) {
      text = this.#cache.get(shared, now);
      if (text === undefined) return undefined;
      if (params.cursor === undefined) this.#scopes.set(method, 'public');
    }
    return JSON.parse(text) as ResultOf<M>;
  }

  /** Stores the answer to a request, if it has a time to live. */
  keep(expected: ExpectedResponse, result: CacheHints): void {
    const { shared, own, mark } = expected;
    const isShared = this.#isShared(expected, result.cacheScope);
    const ttlMs = freshFor(result);
    const [place, other] = isShared ? [shared, own] : [own, shared];
    // Otherwise an older response of the other scope would be found.
    this.#cache.delete(other);
    if (ttlMs === 0) this.#cache.delete(place);
    else this.#cache.set(place, { text: JSON.stringify(result), receivedAt: this.#clock.now(), ttlMs }, mark);
  }

  /** A request failed. If its cursor is invalid, all pages are dropped. */
  failed({ method, params, shared, own }: ExpectedResponse, error: unknown): void {
    if (!isRefusal(error)) return;
    if (params.cursor !== undefined) this.#drop(method);
    for (const place of [shared, own]) this.#cache.delete(place);
  }

  /** The server notified of a changed list. */
  listChanged(list: 'tools' | 'prompts' | 'resources'): void {
    this.#drop(`${list}/list`);
    if (list === 'resources') this.#drop('resources/templates/list');
  }

  /** The server notified of a changed resource, or a part of one. */
  resourceUpdated(uri: string): void {
    this.#drop(
      'resources/read',
      (key) => !key.startsWith(uriMark) || isPartOf(uri, key.slice(uriMark.length)),
    );
  }

  /** Notifications of changes may have been missed. */
  missed(): void {
    for (const method of cacheable) this.#drop(method);
  }

  /** A call was rejected as if the server's list were outdated: the list is read again next time. */
  doubt(method: string, error: unknown): void {
    if (isRefusal(error)) for (const list of doubted.get(method) ?? []) this.#drop(list);
  }

  /** True if the response is public. The pages of a list have one scope: that of the first page, or the stricter one. */
  #isShared({ method, params, shared }: ExpectedResponse, scope: CacheHints['cacheScope']): boolean {
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
}

/** The groups of the public and the private responses to one method. */
interface Groups {
  readonly shared: string;
  readonly own: string;
}

/** The lists with the names that these methods are called with. */
const doubted: ReadonlyMap<string, readonly CacheableMethod[]> = new Map([
  ['tools/call', ['tools/list']],
  ['prompts/get', ['prompts/list']],
  ['resources/read', ['resources/list', 'resources/templates/list']],
]);

/** Params and options that may change the answer without being part of the key, or that answer input requests. */
function isItsOwn(params: UnknownObject, options: ChangingOptions | undefined): boolean {
  if (options?.headers !== undefined || options?.meta !== undefined) return true;
  return '_meta' in params || 'inputResponses' in params || 'requestState' in params;
}

const uriMark = 'uri ';

/** The part of the params that affects the result. A URI is stored unchanged, so that updates of it are cheap to match. */
function keyOf(params: UnknownObject): string {
  const { uri, ...rest } = params;
  return typeof uri === 'string' && Object.keys(rest).length === 0 ? uriMark + uri : JSON.stringify(params);
}

/** Milliseconds for which a result is fresh; 0 for invalid values. */
function freshFor({ ttlMs }: CacheHints): number {
  return ttlMs !== undefined && Number.isInteger(ttlMs) && ttlMs > 0 ? ttlMs : 0;
}

const refusals: ReadonlySet<number> = new Set([
  ErrorCode.methodNotFound,
  ErrorCode.invalidParams,
  ErrorCode.resourceNotFound,
]);

/** True for the error of an unknown tool, prompt or resource. */
function isRefusal(error: unknown): boolean {
  return error instanceof RemoteError && refusals.has(error.code);
}

/** True if `uri` names `whole` or a part of it, after a separator. */
export function isPartOf(uri: string, whole: string): boolean {
  if (!uri.startsWith(whole)) return false;
  const next = uri.charAt(whole.length);
  return next === '' || '/?#'.includes(next) || whole.endsWith('/');
}
