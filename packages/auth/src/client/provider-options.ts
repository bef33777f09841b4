import type { Clock } from '@tenon/mcp-protocol';
import { isScope } from '@tenon/mcp-protocol/internal';
import { type OptionRule, optionRules, requireOptions, withDefaults } from '@tenon/mcp-session/internal';
import type { OauthFetch } from '../http/fetch-sender.js';
import { TrustedPlaces } from '../http/trusted-places.js';
import type { OnAuthEvent } from './auth-events.js';
import type { AuthStore } from './auth-store.js';
import type { ChooseAuthorizationServer } from './discovery.js';
import { defaultProviderLimits, type ProviderLimits } from './provider-limits.js';
import { maxScopes } from './scopes.js';

/** What every way to come by tokens can be told. */
export interface ProviderOptions {
  /** Keeps tokens and registrations; by default in memory, for as long as the process lives. */
  readonly store?: AuthStore;
  /** Whose tokens these are, such as the id of a user, where several users share a store. */
  readonly account?: string;
  /** Scopes to ask for besides those that the server names. */
  readonly scopes?: readonly string[];
  /** Chooses where a server names several authorization servers; by default the first that can be used. */
  readonly chooseAuthorizationServer?: ChooseAuthorizationServer;
  /**
   * Binds tokens to a key (DPoP), so that nobody else can use them: always, or never. By default where the server asks for
   * it.
   */
  readonly dpop?: boolean;
  /** Sends requests to authorization servers. By default connections that are checked where they lead; where there is no Node, `fetch`. */
  readonly fetch?: OauthFetch;
  /** Hosts (`auth.internal`) or origins (`http://auth.internal:8080`) that are trusted though they are private or not https. */
  readonly allow?: readonly string[];
  readonly limits?: Partial<ProviderLimits>;
  /** The time of day, in milliseconds since 1970. */
  readonly clock?: Clock;
  /** Hears of what happens, to be logged; nothing in it is secret. */
  readonly onEvent?: OnAuthEvent;
}

/** Rules of {@link ProviderOptions}, for those who take more than these. */
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
  limits: optionRules.object,
  clock: { is: 'a Clock with now and schedule', allows: (value) => hasMethods(value, ['now', 'schedule']) },
  onEvent: optionRules.callable,
};

/**
 * Refuses options that are misspelt or cannot work.
 * @param more - rules of the options that the owner has besides.
 * @throws TypeError that says what to write instead; RangeError for a number that is out of range.
 */
export function requireProviderOptions<Options extends ProviderOptions>(
  owner: string,
  options: Options,
  more: { readonly [Name in Exclude<keyof Required<Options>, keyof ProviderOptions>]: OptionRule },
): void {
  requireOptions<object>(owner, options, new Map(Object.entries({ ...providerRules, ...more })));
  withDefaults(defaultProviderLimits, options.limits);
  new TrustedPlaces(options.allow);
}

function hasMethods(value: unknown, names: readonly string[]): boolean {
  const methods = value as Readonly<Record<string, unknown>> | null;
  return typeof value === 'object' && names.every((name) => typeof methods?.[name] === 'function');
}
