import { isRecord, optionRules, requireOptions } from '@tenon/foundation';
import type { OauthFetch } from '@tenon/mcp-auth/server';
import type { OpenApiOperation } from './document/operations.js';
import type { OpenApiAuth } from './request/security.js';

/** The operations that become tools: those that match each given member. */
export interface OperationFilter {
  /** Operations with one of these tags. */
  readonly tags?: readonly string[];
  /** Paths; `*` stands for any characters, so that `/pets*` has all that begin with `/pets`. */
  readonly paths?: readonly string[];
  /** Methods, such as `GET`. */
  readonly methods?: readonly string[];
  readonly operationIds?: readonly string[];
}

/** Options of `fromOpenApi`. */
export interface OpenApiOptions {
  /** The URL of the API, to which the paths are added. Its address may be private: you chose it. */
  readonly baseUrl?: string | URL;
  /**
   * True to send requests to the servers that the document names, with the defaults of their variables, where `baseUrl` does not hold. Credentials
   * go there too. Their addresses must be public. Default: false.
   */
  readonly documentServers?: boolean;
  /** The operations that become tools. Default: all that are not deprecated. */
  readonly include?: OperationFilter | ((operation: OpenApiOperation) => boolean);
  /** True for tools of deprecated operations too. Default: false. */
  readonly deprecated?: boolean;
  /** Returns the name of a tool; undefined for the default: the `operationId`, or the method and the path. */
  readonly rename?: (operation: OpenApiOperation) => string | undefined;
  /**
   * Returns the credential for a security scheme of the document: a key, a token, or `user:password` for `basic`. The token that the MCP client sent
   * is for this server, and must not be returned. Default: no credentials.
   */
  readonly auth?: OpenApiAuth;
  /** Headers of every request, such as a version of the API. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Hosts (`api.internal`) or origins that may be at private addresses, besides that of `baseUrl`. Default: none. */
  readonly allow?: readonly string[];
  /** The most characters of a result. Longer ones are shortened, and say so. Default: 50,000. */
  readonly resultCharacters?: number;
  /** Sends the requests, for example with a client certificate. It must not follow redirects. Default: connections of Node; elsewhere the `fetch` of the runtime. */
  readonly fetch?: OauthFetch;
}

/** The default of `resultCharacters`. */
export const resultCharacters = 50_000;

/** Bounds of requests that are not options. */
export const requestBounds: { readonly answerBytes: number; readonly requestTime: number } = {
  answerBytes: 8_388_608,
  requestTime: 30_000,
};

/** @throws TypeError or RangeError if an option is invalid. */
export function requireOpenApiOptions(options: OpenApiOptions): void {
  const { anything, callable, flag, positive, texts } = optionRules;
  requireOptions<OpenApiOptions>('fromOpenApi', options, {
    baseUrl: anything,
    documentServers: flag,
    include: { is: 'an object or a function', allows: (value) => isRecord(value) || callable.allows(value) },
    deprecated: flag,
    rename: callable,
    auth: callable,
    headers: {
      is: 'an object of texts',
      allows: (value) => isRecord(value) && Object.values(value).every((one) => typeof one === 'string'),
    },
    allow: texts,
    resultCharacters: positive,
    fetch: callable,
  });
  if (isRecord(options.include))
    requireOptions<OperationFilter>('include', options.include, {
      tags: texts,
      paths: texts,
      methods: texts,
      operationIds: texts,
    });
}

/** Returns the function that decides which operations become tools. */
export function filterOf(include: OpenApiOptions['include']): (operation: OpenApiOperation) => boolean {
  if (include === undefined) return () => true;
  if (typeof include === 'function') return (operation) => include(operation) === true;
  const { tags, paths, methods, operationIds } = include;
  const patterns = paths?.map(patternOf);
  return ({ method, path, operationId, tags: own }) =>
    (tags === undefined || tags.some((tag) => own.includes(tag))) &&
    (patterns === undefined || patterns.some((pattern) => pattern.test(path))) &&
    (methods === undefined || methods.some((one) => one.toUpperCase() === method)) &&
    (operationIds === undefined || (operationId !== undefined && operationIds.includes(operationId)));
}

function patternOf(path: string): RegExp {
  const parts = path.split(/\*+/).map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`);
}
