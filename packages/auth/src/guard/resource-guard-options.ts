import { type Clock, constantsOf, type OptionRule, optionRules, requireOptions } from '@tenon/foundation';
import type { JsonObject, Principal } from '@tenon/mcp-protocol';
import { isHttpsOrLoopback, isUrl } from '@tenon/mcp-protocol/internal';
import { secureUrl } from '../http/url-host.js';
import type { ProofCheck, Verify } from '../verifiers/verify.js';
import { wallClock } from '../wall-clock.js';
import { isQuotable } from './challenge.js';
import { GrantedScopes, type ScopeOptions } from './granted-scopes.js';

/** A rejected request, for audit logs. It contains no part of a token. */
export interface RefusedRequest {
  readonly status: number;
  /** Undefined if there was no token, or if it could not be checked. */
  readonly error?: string | undefined;
  /** One sentence. */
  readonly reason: string;
  /** Method and path, without query; undefined if scopes are missing for a message. */
  readonly request?: { readonly method: string; readonly path: string } | undefined;
  /** The caller, if the token was valid. */
  readonly principal?: Principal | undefined;
  /** Required scopes. */
  readonly scopes?: readonly string[] | undefined;
}

/** Options of {@link protect}. */
export interface ResourceGuardOptions {
  /**
   * The identifier that tokens are issued for: the URL of the endpoint as clients write it, https or on this machine. If the URL is
   * known only when the server listens: `serveHttp(server, { guard: (resource) => new ResourceGuard({ resource, ... }) })`.
   */
  readonly resource: string;
  /** The accepted issuers, exactly as the authorization servers write them; at least one. */
  readonly authorizationServers: readonly string[];
  /** Checks a token: `jwtVerifier()`, `introspectionVerifier(...)`, or a function. */
  readonly verify: Verify;
  /** Scopes that every request requires, or an object with further rules. Default: none, only a valid token. */
  readonly scopes?: readonly string[] | ScopeOptions | undefined;
  /** Accepts tokens that are bound to a key, and checks their proofs. Default: such tokens are rejected. */
  readonly dpop?: ProofCheck | undefined;
  /** Rejects tokens that are not bound to a key. Default: false. */
  readonly dpopRequired?: boolean | undefined;
  /** The name of this server for users. */
  readonly resourceName?: string | undefined;
  /** URL of a page for developers. */
  readonly resourceDocumentation?: string | undefined;
  /** The `realm` of challenges. Default: none. */
  readonly realm?: string | undefined;
  /**
   * Metadata of an authorization server, to serve at `/.well-known/oauth-authorization-server` for clients that do not support
   * metadata of protected resources.
   */
  readonly authorizationServerMetadata?: JsonObject | undefined;
  /**
   * Called for each rejected request. Its errors go to `onError` of the server. Promises are not awaited; their rejections are
   * written to the console's error stream.
   */
  readonly onRefused?: ((refused: RefusedRequest) => void) | undefined;
  /** `now()` is milliseconds since 1970. For tests. */
  readonly clock?: Clock | undefined;
}

const guardBounds = {
  /** Milliseconds that checking one token may take; after that the response is 503. */
  verifyTime: 15_000,
  /** Characters of a token; longer ones are not passed to `verify`. */
  tokenLength: 16_384,
  /** Characters of the claims as JSON. */
  claimsLength: 16_384,
};

type Defaulted = 'dpopRequired' | 'clock';
type WithDefaults = { readonly [Name in Defaulted]: NonNullable<ResourceGuardOptions[Name]> };

/** The checked options of {@link protect}, with defaults. */
export interface ResourceGuardSettings
  extends WithDefaults,
    Omit<ResourceGuardOptions, Defaulted | 'scopes' | 'authorizationServerMetadata'> {
  readonly bounds: typeof guardBounds;
  readonly address: URL;
  readonly scopes: GrantedScopes;
  /** As JSON. */
  readonly authorizationServerMetadata: string | undefined;
}

const { callable, flag, object, text } = optionRules;
const webAddress: OptionRule = {
  is: 'a URL that begins with https://',
  allows: (value) => typeof value === 'string' && isUrl(value) && isHttpsOrLoopback(new URL(value)),
};

const rules: { readonly [Name in keyof Required<ResourceGuardOptions>]: OptionRule } = {
  resource: text,
  authorizationServers: {
    is: 'a list of at least one issuer, such as ["https://auth.example.com"]',
    allows: (value) => Array.isArray(value) && value.length > 0 && value.every(text.allows),
  },
  verify: callable,
  scopes: {
    is: 'a list of scopes, or { required, supported, implies }',
    allows: (value) => typeof value === 'object',
  },
  dpop: {
    is: 'a proof check with "algs" and "check", such as dpopCheck()',
    allows: (value) =>
      object.allows(value) &&
      isAlgorithms((value as ProofCheck).algs) &&
      callable.allows((value as ProofCheck).check),
  },
  dpopRequired: flag,
  resourceName: text,
  resourceDocumentation: webAddress,
  realm: {
    is: 'a text of printable ASCII without quotation marks and backslashes',
    allows: (value) => typeof value === 'string' && isQuotable(value),
  },
  authorizationServerMetadata: {
    is: 'the metadata of an authorization server, with its "issuer"',
    allows: (value) => object.allows(value) && text.allows((value as JsonObject).issuer),
  },
  onRefused: callable,
  clock: object,
};

/**
 * Checks the options of {@link protect}.
 * @throws TypeError or RangeError that says what to write instead.
 */
export function resourceGuardSettings(options: ResourceGuardOptions): ResourceGuardSettings {
  requireOptions('protect', options, rules);
  for (const name of ['resource', 'authorizationServers', 'verify'] as const) {
    if (options[name] === undefined)
      throw new TypeError(`protect needs ${name}: it must be ${rules[name].is}.`);
  }
  const { resource, authorizationServers, authorizationServerMetadata: metadata, scopes, ...given } = options;
  const { dpopRequired = false, clock = wallClock } = given;
  if (dpopRequired && given.dpop === undefined)
    throw new TypeError('protect: dpopRequired needs "dpop", which checks the proofs.');
  return {
    ...given,
    ...{ resource, dpopRequired, clock, bounds: constantsOf(guardBounds, options) },
    address: checkedResource(resource),
    authorizationServers: authorizationServers.map(checkedIssuer),
    scopes: new GrantedScopes(scopes),
    authorizationServerMetadata: metadata && JSON.stringify(metadata),
  };
}

/** https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization#canonical-server-uri */
function checkedResource(resource: string): URL {
  const url = checkedAddress('resource', resource);
  const canonical = url.pathname === '/' ? url.origin : url.href;
  if (resource === canonical || resource === url.href) return url;
  throw new TypeError(
    `protect: tokens must contain the resource exactly: write ${JSON.stringify(canonical)} instead of ${JSON.stringify(resource)}.`,
  );
}

function checkedIssuer(issuer: string): string {
  checkedAddress('authorizationServers', issuer);
  return issuer;
}

function checkedAddress(option: string, address: string): URL {
  const url = secureUrl(address);
  if (url !== undefined && !/[?#]/.test(address)) return url;
  throw new TypeError(
    `protect: ${option}: ${JSON.stringify(address)} must be a URL that begins with https://, or with http:// on this machine, without query, fragment and user name.`,
  );
}

function isAlgorithms(algs: unknown): boolean {
  return (
    Array.isArray(algs) &&
    algs.length > 0 &&
    algs.every((alg) => typeof alg === 'string' && /^[\w-]+$/.test(alg))
  );
}
