import { type Clock, type OptionRule, optionRules, requireOptions } from '@tenon/foundation';
import { isScope } from '@tenon/mcp-protocol/internal';
import type { ChooseAuthorizationServer } from '../discovery/discovery.js';
import { maxScopes } from '../discovery/scopes.js';
import type { OauthFetch } from '../http/fetch-sender.js';
import { TrustedHosts } from '../http/url-host.js';
import type { AuthStore } from '../store/auth-store.js';
import type { OnAuthEvent } from '../tokens/auth-events.js';

/** Options that all providers have. */
export interface ProviderOptions {
  /** Stores tokens and registrations; default: in memory, until the process ends. */
  readonly store?: AuthStore;
  /** The owner of the tokens, such as the id of a user, if several users share a store. */
  readonly account?: string;
  /** Scopes to request in addition to those that the server names. */
  readonly scopes?: readonly string[];
  /** Chooses the authorization server if a server names more than one; default: the first that can be used. */
  readonly chooseAuthorizationServer?: ChooseAuthorizationServer;
  /**
   * True to bind tokens to a key (DPoP) always, so that a stolen token cannot be used; false for never. Default: if the server
   * requires or prefers it.
   */
  readonly dpop?: boolean;
  /** Sends requests to authorization servers. Default: connections with checked addresses on Node, `fetch` elsewhere. */
  readonly fetch?: OauthFetch;
  /** Hosts (`auth.internal`) or origins (`http://auth.internal:8080`) that are trusted although they are private or not https. */
  readonly allow?: readonly string[];
  /** The time of day, in milliseconds since 1970. */
  readonly clock?: Clock;
  /** Receives events, for example for a log; they contain no secrets. */
  readonly onEvent?: OnAuthEvent;
}

/** Rules of {@link ProviderOptions}, to combine with further options. */
const providerRules: { readonly [Name in keyof Required<ProviderOptions>]: OptionRule } = {
  store: { is: 'an AuthStore with get and swap', allows: (value) => hasMethods(value, ['get', 'swap']) },
  account: optionRules.text,
  scopes: {
    is: `a list of at most ${maxScopes} scopes: visible ASCII without spaces, quotation marks and backslashes`,
    allows: (value) => Array.isArray(value) && value.length <= maxScopes && value.every(isScope),
  },
  chooseAuthorizationServer: optionRules.callable,
  dpop: optionRules.flag,
  fetch: optionRules.callable,
  allow: optionRules.texts,
  clock: { is: 'a Clock with now and schedule', allows: (value) => hasMethods(value, ['now', 'schedule']) },
  onEvent: optionRules.callable,
};

/**
 * Rejects unknown and invalid options.
 * @param more - the rules of further options.
 * @throws TypeError that says what to write instead; RangeError if a number is out of range.
 */
export function requireProviderOptions<Options extends ProviderOptions>(
  owner: string,
  options: Options,
  more: { readonly [Name in Exclude<keyof Required<Options>, keyof ProviderOptions>]: OptionRule },
): void {
  requireOptions<object>(owner, options, new Map(Object.entries({ ...providerRules, ...more })));
  new TrustedHosts(options.allow);
}

function hasMethods(value: unknown, names: readonly string[]): boolean {
  const methods = value as Readonly<Record<string, unknown>> | null;
  return typeof value === 'object' && names.every((name) => typeof methods?.[name] === 'function');
}

/** Bounds and times of a provider, in milliseconds. */
export const providerBounds = {
  /** Authorizations of one request. */
  maxAttempts: 3,
  /** Before its expiry that a token is replaced; a token with a shorter lifetime is replaced after half of it. */
  expirySkew: 30_000,
  /** For which the authorization server of a server is cached. */
  discoveryLifetime: 300_000,
  /** Servers in memory; the least recently used one is dropped, except for its stored tokens. */
  servers: 256,
  /** Refused sets of scopes that are remembered for each server. */
  refusedScopes: 64,
  /** Until refused scopes are requested again. */
  refusalPause: 60_000,
  /** For one request to an authorization server. */
  answerTimeout: 10_000,
};
