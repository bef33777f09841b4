import type { AuthProvider, Clock, Extensions } from '@tenon/mcp-protocol';
import { withDefaults } from '@tenon/mcp-session/internal';
import type { OauthHttp } from '../http/oauth-http.js';
import { safeHttp } from '../http/safe-http.js';
import { wallClock } from '../wall-clock.js';
import type { AuthStore } from './auth-store.js';
import { discover } from './discovery.js';
import type { Grant } from './grant.js';
import { guardedStore } from './guarded-store.js';
import { MemoryAuthStore } from './memory-store.js';
import { defaultProviderLimits, type ProviderLimits } from './provider-limits.js';
import type { ProviderOptions } from './provider-options.js';
import { RefusedScopes } from './refused-scopes.js';
import { ServerAuthorizer } from './server-authorizer.js';
import { type DiscoverySteps, ServerDiscovery } from './server-discovery.js';
import { fetchAuthorizationServer } from './server-metadata.js';
import { ServerTokens } from './server-tokens.js';
import { StoredTokens } from './stored-tokens.js';
import { TokenGranting, type WithoutServer } from './token-granting.js';

/** What {@link OauthProvider} is made of. */
export interface OauthProviderParts {
  readonly grant: Grant;
  /** Checked already. */
  readonly options: ProviderOptions;
  /** A scope for refresh tokens is asked for where there is one; false by default. */
  readonly offlineAccess?: boolean;
  /** The network; another one in tests. */
  readonly network?: ProviderNetwork;
}

/** What a provider reaches others by. */
export interface ProviderNetwork {
  http(server: URL): OauthHttp;
  readonly steps: DiscoverySteps;
}

/** All that authorizes the requests to one server. */
export interface ServerEntry {
  readonly authorizer: ServerAuthorizer;
  readonly tokens: ServerTokens;
  readonly granting: TokenGranting;
  readonly discovery: ServerDiscovery;
  readonly refused: RefusedScopes;
}

/** Authorizes requests to any number of servers with the tokens that one grant gives. */
export class OauthProvider implements AuthProvider {
  readonly extensions: Extensions | undefined;
  protected readonly clock: Clock;
  protected readonly store: AuthStore;
  readonly #parts: OauthProviderParts;
  readonly #limits: ProviderLimits;
  readonly #stored: StoredTokens;
  /** By address, the one used longest ago first. */
  readonly #entries = new Map<string, ServerEntry>();

  constructor(parts: OauthProviderParts) {
    const { grant, options } = parts;
    this.#parts = parts;
    this.extensions = grant.extension === undefined ? undefined : { [grant.extension]: {} };
    this.#limits = withDefaults(defaultProviderLimits, options.limits);
    this.clock = options.clock ?? wallClock;
    this.store = guardedStore(options.store ?? new MemoryAuthStore());
    this.#stored = new StoredTokens(this.store, [options.account, grant.type, grant.identity]);
  }

  /** @throws TypeError for an address that is not one of the web. */
  authorizer(server: URL): ServerAuthorizer {
    return this.entry(server).authorizer;
  }

  /**
   * Signs in at a server now, unless that has been done. What was refused before is asked for again.
   * @throws AuthError
   */
  async signIn(server: URL | string, options: { readonly signal?: AbortSignal } = {}): Promise<void> {
    await this.authorizer(new URL(server)).signIn(options.signal);
  }

  /**
   * Forgets the tokens for a server, or for all servers that this provider has been used for since it was made, and has them
   * taken back where the authorization server can do that. Close the connections first: one that goes on signs in again.
   * @throws AuthError `storage`
   */
  async signOut(server?: URL | string): Promise<void> {
    const entries = server === undefined ? [...this.#entries.values()] : [this.entry(new URL(server))];
    await Promise.all(entries.map(({ authorizer }) => authorizer.signOut()));
  }

  protected entry(server: URL): ServerEntry {
    const url = new URL(server);
    if (url.protocol !== 'https:' && url.protocol !== 'http:')
      throw new TypeError(`A server that is signed in at has an http address, not one of ${url.protocol}`);
    url.hash = '';
    url.username = '';
    url.password = '';
    const entry = this.#entries.get(url.href) ?? this.#newEntry(url);
    this.#entries.delete(url.href);
    this.#entries.set(url.href, entry);
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#limits.servers) break;
      this.#entries.delete(oldest);
    }
    return entry;
  }

  #newEntry(url: URL): ServerEntry {
    const { grant, options, offlineAccess = false } = this.#parts;
    const { clock, store } = this;
    const limits = this.#limits;
    const { http, steps } = this.#network(url);
    const report = (event: WithoutServer) => this.#report(url, event);
    const refused = new RefusedScopes(clock, { most: limits.refusedScopes, pause: limits.refusalPause });
    const discovery = new ServerDiscovery({
      url,
      http,
      clock,
      steps,
      choose: options.chooseAuthorizationServer,
      allow: options.allow,
      lifetime: limits.discoveryLifetime,
    });
    const granting = new TokenGranting({
      target: url,
      grant,
      http,
      store,
      clock,
      dpop: options.dpop,
      refused,
      report,
    });
    const tokens = new ServerTokens({
      server: url.href,
      grant,
      granting,
      discovery,
      stored: this.#stored,
      refused,
      clock,
      skew: limits.expirySkew,
      scopes: options.scopes ?? [],
      offlineAccess,
      report,
    });
    const { maxAttempts, refusalPause: pause } = limits;
    const authorizer = new ServerAuthorizer({
      url,
      tokens,
      discovery,
      refused,
      clock,
      maxAttempts,
      pause,
      report,
    });
    return { authorizer, tokens, granting, discovery, refused };
  }

  #network(server: URL): { readonly http: OauthHttp; readonly steps: DiscoverySteps } {
    const { network, options } = this.#parts;
    if (network !== undefined) return { http: network.http(server), steps: network.steps };
    const { fetch, allow } = options;
    const limits = { bytes: this.#limits.answerBytes, timeout: this.#limits.answerTimeout };
    const http = safeHttp({ server, clock: this.clock, fetch, allow, limits });
    return { http, steps: { discover, fetchAuthorizationServer } };
  }

  #report(url: URL, event: WithoutServer): void {
    try {
      const heard: unknown = this.#parts.options.onEvent?.({ ...event, server: url.href });
      if (heard instanceof Promise) heard.catch(() => {});
    } catch {
      // A log that fails is no reason not to be authorized.
    }
  }
}
