import { BoundedMap, type Clock, constantsOf } from '@tenon/foundation';
import type { AuthProvider, Extensions } from '@tenon/mcp-protocol';
import { fetchAuthorizationServer } from '../discovery/authorization-server.js';
import { discover } from '../discovery/discovery.js';
import { type DiscoverySteps, ServerDiscovery } from '../discovery/server-discovery.js';
import type { OauthHttp } from '../http/oauth-http.js';
import { safeHttp } from '../http/safe-http.js';
import type { Grant } from '../oauth/grant.js';
import type { AuthStore } from '../store/auth-store.js';
import { guardedStore } from '../store/guarded-store.js';
import { MemoryAuthStore } from '../store/memory-store.js';
import type { WithoutServer } from '../tokens/auth-events.js';
import { RefusedScopes } from '../tokens/refused-scopes.js';
import { ServerAuthorizer } from '../tokens/server-authorizer.js';
import { ServerTokens } from '../tokens/server-tokens.js';
import { StoredTokens } from '../tokens/stored-tokens.js';
import { TokenGranting } from '../tokens/token-granting.js';
import { wallClock } from '../wall-clock.js';
import { type ProviderOptions, providerBounds } from './provider-options.js';

export interface OauthProviderParts {
  readonly grant: Grant;
  /** Checked options. */
  readonly options: ProviderOptions;
  /** True to request `offline_access` from authorization servers that list it; default: false. */
  readonly offlineAccess?: boolean;
  /** Replaces the network in tests. */
  readonly network?: ProviderNetwork;
}

/** The stored tokens of a user for one server, without secrets. */
export interface SignedIn {
  readonly issuer: string;
  /** Granted scopes; undefined if unknown. */
  readonly scopes: readonly string[] | undefined;
  /** Expiry of the access token, in milliseconds since 1970; undefined if unknown. */
  readonly expiresAt: number | undefined;
  /** True if the tokens can be renewed without the user. */
  readonly isRenewable: boolean;
}

/** The HTTP clients and the discovery of a provider. */
export interface ProviderNetwork {
  http(server: URL): OauthHttp;
  readonly steps: DiscoverySteps;
}

/** The objects that authorize the requests to one server. */
export interface ServerEntry {
  readonly authorizer: ServerAuthorizer;
  readonly tokens: ServerTokens;
  readonly granting: TokenGranting;
  readonly discovery: ServerDiscovery;
  readonly refused: RefusedScopes;
}

/** Authorizes requests to any number of servers, with tokens from one grant. */
export class OauthProvider implements AuthProvider {
  readonly extensions: Extensions | undefined;
  protected readonly clock: Clock;
  protected readonly store: AuthStore;
  readonly #parts: OauthProviderParts;
  readonly #bounds: typeof providerBounds;
  readonly #stored: StoredTokens;
  /** By URL, the least recently used first. */
  readonly #entries: BoundedMap<string, ServerEntry>;

  constructor(parts: OauthProviderParts) {
    const { grant, options } = parts;
    this.#parts = parts;
    this.extensions = grant.extension === undefined ? undefined : { [grant.extension]: {} };
    this.#bounds = constantsOf(providerBounds, options);
    this.#entries = new BoundedMap(this.#bounds.servers);
    this.clock = options.clock ?? wallClock;
    this.store = guardedStore(options.store ?? new MemoryAuthStore());
    this.#stored = new StoredTokens(this.store, [options.account, grant.type, grant.identity]);
  }

  /** @throws TypeError if the URL is neither http nor https. */
  authorizer(server: URL): ServerAuthorizer {
    return this.entry(server).authorizer;
  }

  /**
   * Signs in at a server now, unless its tokens are valid. Also requests scopes that were refused before.
   * @throws AuthError
   */
  async signIn(server: URL | string, options: { readonly signal?: AbortSignal } = {}): Promise<void> {
    await this.authorizer(new URL(server)).signIn(options.signal);
  }

  /**
   * Returns the stored tokens for a server, without secrets; undefined if there are none. It sends no request, so the server may
   * have revoked them.
   * @throws AuthError `storage`
   */
  async signedIn(server: URL | string): Promise<SignedIn | undefined> {
    const owner = await this.#stored.owner(plainUrl(server).href);
    const stored = owner === undefined ? undefined : await this.#stored.read(owner);
    if (stored === undefined) return undefined;
    const { issuer, scopes, expiresAt, refreshToken } = stored.tokens;
    return { issuer, scopes, expiresAt, isRenewable: refreshToken !== undefined };
  }

  /**
   * Returns the issuer of the authorization server of a server, as the documents of the server name it.
   * @throws AuthError
   */
  async issuerOf(server: URL | string, { signal }: { readonly signal?: AbortSignal } = {}): Promise<string> {
    const { discovery } = this.entry(new URL(server));
    const found = await discovery.find({
      challenge: undefined,
      revision: undefined,
      issuer: undefined,
      refresh: false,
      signal,
    });
    return found.server.issuer;
  }

  /**
   * Deletes the tokens for a server, or for all servers that this provider has been used with, and revokes them if the
   * authorization server can. Without the option `account`, also deletes the client that was registered dynamically there. Close the connections first: an open connection signs in again.
   * @throws AuthError `storage`
   */
  async signOut(server?: URL | string): Promise<void> {
    const entries = server === undefined ? [...this.#entries.values()] : [this.entry(new URL(server))];
    await Promise.all(entries.map(({ authorizer }) => authorizer.signOut()));
  }

  protected entry(server: URL): ServerEntry {
    const url = plainUrl(server);
    const entry = this.#entries.get(url.href) ?? this.#newEntry(url);
    this.#entries.set(url.href, entry);
    return entry;
  }

  #newEntry(url: URL): ServerEntry {
    const { grant, options, offlineAccess = false } = this.#parts;
    const { clock, store } = this;
    const { refusalPause: pause, refusedScopes: most, maxAttempts } = this.#bounds;
    const { expirySkew: skew, discoveryLifetime: lifetime } = this.#bounds;
    const { allow, dpop, account, scopes = [], chooseAuthorizationServer: choose } = options;
    const { http, steps } = this.#network(url);
    const report = (event: WithoutServer) => this.#report(url, event);
    const refused = new RefusedScopes(clock, { most, pause });
    const discovery = new ServerDiscovery({ url, http, clock, steps, choose, allow, lifetime });
    const parts = { url, grant, http, store, clock, refused, report };
    const granting = new TokenGranting({ ...parts, dpop });
    const tokens = new ServerTokens({
      ...parts,
      ...{ granting, discovery, stored: this.#stored, skew, scopes, offlineAccess },
      // Others with the same store may use it.
      forgetsClient: account === undefined,
    });
    const authorizer = new ServerAuthorizer({ ...parts, tokens, discovery, maxAttempts, pause });
    return { authorizer, tokens, granting, discovery, refused };
  }

  #network(server: URL): { readonly http: OauthHttp; readonly steps: DiscoverySteps } {
    const { network, options } = this.#parts;
    if (network !== undefined) return { http: network.http(server), steps: network.steps };
    const { fetch, allow } = options;
    const { answerTimeout: timeout } = this.#bounds;
    const http = safeHttp({ server, clock: this.clock, fetch, allow, timeout });
    return { http, steps: { discover, fetchAuthorizationServer } };
  }

  #report(url: URL, event: WithoutServer): void {
    try {
      const heard: unknown = this.#parts.options.onEvent?.({ ...event, server: url.href });
      if (heard instanceof Promise) heard.catch(() => {});
    } catch {
      // An error of the callback must not stop the authorization.
    }
  }
}

/** Returns a URL without a fragment and credentials. @throws TypeError if it is neither http nor https. */
function plainUrl(server: URL | string): URL {
  const url = new URL(server);
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new TypeError(`The URL of a server must be http or https, not ${url.protocol}`);
  url.hash = '';
  url.username = '';
  url.password = '';
  return url;
}
