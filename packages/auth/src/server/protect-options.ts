import type { Clock, JsonObject, Principal } from '@tenon/mcp-protocol';
import { isUrl } from '@tenon/mcp-protocol/internal';
import { type OptionRule, optionRules, requireOptions } from '@tenon/mcp-session/internal';
import { isPrivateWay } from '../client/private-way.js';
import { wallClock } from '../wall-clock.js';
import { isQuotable } from './challenge.js';
import { GrantedScopes, type ScopeOptions } from './granted-scopes.js';
import type { ProofCheck, Verify } from './verify.js';

/** A request that was turned away, for the audit. It holds nothing of a token. */
export interface RefusedRequest {
  readonly status: number;
  /** Undefined where no token was shown, and where it could not be checked. */
  readonly error?: string | undefined;
  /** One sentence. */
  readonly reason: string;
  /** Method and path, without query; undefined where scopes are lacking for what a message asks. */
  readonly request?: { readonly method: string; readonly path: string } | undefined;
  /** Who was calling, where the token was valid. */
  readonly principal?: Principal | undefined;
  /** What it takes. */
  readonly scopes?: readonly string[] | undefined;
}

/** How a server is protected. */
export interface ProtectOptions {
  /**
   * The identifier that tokens are issued for: the URL of the endpoint as clients write it, https or on this machine. It
   * may be known late, once a server listens: `protect(server, { resource: serving.url, ... })`.
   */
  readonly resource: string;
  /** Issuers of the authorization servers whose tokens are taken, exactly as they write themselves. At least one. */
  readonly authorizationServers: readonly string[];
  /** Tells what a token says: `jwtVerifier()`, `introspectionVerifier(...)`, or a function. */
  readonly verify: Verify;
  /** What every request takes, or more about scopes. Default: a valid token. */
  readonly scopes?: readonly string[] | ScopeOptions | undefined;
  /** Takes tokens that are bound to a key, and checks the proofs that come with them. Default: such tokens are refused. */
  readonly dpop?: ProofCheck | undefined;
  /** Refuses tokens that are bound to no key. Default false. */
  readonly dpopRequired?: boolean | undefined;
  /** What people may call this server. */
  readonly resourceName?: string | undefined;
  /** URL of a page for developers. */
  readonly resourceDocumentation?: string | undefined;
  /** The `realm` of challenges. Default: none. */
  readonly realm?: string | undefined;
  /**
   * Metadata of an authorization server, to be served at `/.well-known/oauth-authorization-server` for clients that know of
   * no metadata of resources and look for it here.
   */
  readonly authorizationServerMetadata?: JsonObject | undefined;
  /**
   * Hears of each request that is turned away. What it throws goes to `onError` of the server; nobody waits for a promise
   * of it, and one that rejects is written to the console's error stream.
   */
  readonly onRefused?: ((refused: RefusedRequest) => void) | undefined;
  /** Milliseconds that checking one token may take; past it the answer is 503. Default 15,000. */
  readonly verifyTime?: number | undefined;
  /** Milliseconds after which a client may try again whose token could not be checked. Default 5,000. */
  readonly retryAfter?: number | undefined;
  /** Characters of one token; no verifier sees a longer one. Default 16,384. */
  readonly tokenLength?: number | undefined;
  /** Characters of JSON of the claims that handlers see. Default 16,384. */
  readonly claimsLength?: number | undefined;
  /** Its `now()` is milliseconds since 1970. For tests. */
  readonly clock?: Clock | undefined;
}

/** How a server is protected, checked and with defaults. */
export interface ProtectSettings {
  readonly resource: string;
  readonly address: URL;
  readonly authorizationServers: readonly string[];
  readonly verify: Verify;
  readonly scopes: GrantedScopes;
  readonly dpop: ProofCheck | undefined;
  readonly dpopRequired: boolean;
  readonly resourceName: string | undefined;
  readonly resourceDocumentation: string | undefined;
  readonly realm: string | undefined;
  /** As JSON. */
  readonly authorizationServerMetadata: string | undefined;
  readonly onRefused: ProtectOptions['onRefused'];
  readonly verifyTime: number;
  readonly retryAfter: number;
  readonly tokenLength: number;
  readonly claimsLength: number;
  readonly clock: Clock;
}

const { callable, flag, object, positive, text } = optionRules;
const webAddress: OptionRule = {
  is: 'a URL that begins with https://',
  allows: (value) => typeof value === 'string' && isUrl(value) && isPrivateWay(new URL(value)),
};

const rules: { readonly [Name in keyof Required<ProtectOptions>]: OptionRule } = {
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
    is: 'a check of proofs, with "algs" and "check"',
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
  verifyTime: positive,
  retryAfter: positive,
  tokenLength: positive,
  claimsLength: positive,
  clock: object,
};

/**
 * Checks how a server is to be protected.
 * @throws TypeError or RangeError that says what to write instead.
 */
export function protectSettings(options: ProtectOptions): ProtectSettings {
  requireOptions('protect', options, rules);
  for (const name of ['resource', 'authorizationServers', 'verify'] as const) {
    if (options[name] === undefined)
      throw new TypeError(`protect needs ${name}: it must be ${rules[name].is}.`);
  }
  const { resource, authorizationServers, authorizationServerMetadata: metadata, ...given } = options;
  if (given.dpopRequired === true && given.dpop === undefined)
    throw new TypeError('protect: dpopRequired needs "dpop", which checks the proofs.');
  return {
    resource,
    address: checkedResource(resource),
    authorizationServers: authorizationServers.map(checkedIssuer),
    verify: given.verify,
    scopes: new GrantedScopes(given.scopes),
    dpop: given.dpop,
    dpopRequired: given.dpopRequired ?? false,
    resourceName: given.resourceName,
    resourceDocumentation: given.resourceDocumentation,
    realm: given.realm,
    authorizationServerMetadata: metadata && JSON.stringify(metadata),
    onRefused: given.onRefused,
    verifyTime: given.verifyTime ?? 15_000,
    retryAfter: given.retryAfter ?? 5_000,
    tokenLength: given.tokenLength ?? 16_384,
    claimsLength: given.claimsLength ?? 16_384,
    clock: given.clock ?? wallClock,
  };
}

/** https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization#canonical-server-uri */
function checkedResource(resource: string): URL {
  const url = checkedAddress('resource', resource);
  const canonical = url.pathname === '/' ? url.origin : url.href;
  if (resource === canonical || resource === url.href) return url;
  throw new TypeError(
    `protect: tokens name the resource letter by letter: write it ${JSON.stringify(canonical)}, not ${JSON.stringify(resource)}.`,
  );
}

function checkedIssuer(issuer: string): string {
  checkedAddress('authorizationServers', issuer);
  return issuer;
}

function checkedAddress(option: string, address: string): URL {
  const url = isUrl(address) ? new URL(address) : undefined;
  if (url === undefined || !isPrivateWay(url) || url.username + url.password !== '' || /[?#]/.test(address)) {
    throw new TypeError(
      `protect: ${option}: ${JSON.stringify(address)} must be a URL that begins with https://, or with http:// on this machine, without a query, a fragment and a user.`,
    );
  }
  return url;
}

function isAlgorithms(algs: unknown): boolean {
  return (
    Array.isArray(algs) &&
    algs.length > 0 &&
    algs.every((alg) => typeof alg === 'string' && /^[\w-]+$/.test(alg))
  );
}
