import type { Clock, Revision } from '@tenon/mcp-protocol';
import type { OauthHttp } from '../http/oauth-http.js';
import type { AuthorizationServer } from './authorization-server.js';
import type { BearerChallenge } from './challenges.js';
import type { ChooseAuthorizationServer, Discovery, discover } from './discovery.js';
import { assumedServer, type fetchAuthorizationServer } from './server-metadata.js';
import type { TokenOwner } from './stored-tokens.js';

/** The steps of discovery, so that they can be others in tests. */
export interface DiscoverySteps {
  readonly discover: typeof discover;
  readonly fetchAuthorizationServer: typeof fetchAuthorizationServer;
}

/** What {@link ServerDiscovery} is made of. */
export interface ServerDiscoveryParts {
  readonly url: URL;
  readonly http: OauthHttp;
  readonly clock: Clock;
  readonly steps: DiscoverySteps;
  readonly choose: ChooseAuthorizationServer | undefined;
  readonly allow: readonly string[] | undefined;
  /** Milliseconds that what was found is used. */
  readonly lifetime: number;
}

/** What a discovery depends on. */
export interface DiscoveryOccasion {
  readonly told: BearerChallenge | undefined;
  readonly revision: Revision | undefined;
  /** The issuer that tokens are from already: it is kept while the server names it. */
  readonly issuer: string | undefined;
  /** A token was refused: what was found before may not be so any more. */
  readonly anew: boolean;
  readonly signal: AbortSignal | undefined;
}

/** Finds out who may issue tokens for one server, and remembers it for a while. */
export class ServerDiscovery {
  readonly #parts: ServerDiscoveryParts;
  #found:
    | { readonly discovery: Discovery; readonly metadata: string | undefined; readonly until: number }
    | undefined;

  constructor(parts: ServerDiscoveryParts) {
    this.#parts = parts;
  }

  /** @throws AuthError */
  async find(occasion: DiscoveryOccasion): Promise<Discovery> {
    const { url, http, clock, steps, allow, lifetime } = this.#parts;
    const { told, revision, anew, signal } = occasion;
    const found = this.#found;
    const metadata = told?.resourceMetadata;
    const isSame = metadata === undefined || metadata === found?.metadata;
    if (!anew && isSame && found !== undefined && this.#isFresh(found.until)) return found.discovery;
    const discovery = await steps.discover({
      server: url,
      challenge: told,
      http,
      choose: this.#choice(occasion.issuer),
      revision,
      allow,
      signal,
    });
    this.#found = { discovery, metadata, until: clock.now() + lifetime };
    return discovery;
  }

  /** The authorization server that tokens are from, whatever the server says by now. @throws AuthError */
  async issuerOf(owner: TokenOwner, signal?: AbortSignal): Promise<AuthorizationServer> {
    const { http, steps, allow } = this.#parts;
    const found = this.#found;
    if (found?.discovery.server.issuer === owner.issuer && this.#isFresh(found.until))
      return found.discovery.server;
    if (owner.assumed) return assumedServer(new URL(owner.issuer), allow);
    return steps.fetchAuthorizationServer({ issuer: owner.issuer, http, allow, signal });
  }

  forget(): void {
    this.#found = undefined;
  }

  /** Not longer than the lifetime, though the clock was set back. */
  #isFresh(until: number): boolean {
    const left = until - this.#parts.clock.now();
    return left > 0 && left <= this.#parts.lifetime;
  }

  #choice(issuer: string | undefined): ChooseAuthorizationServer | undefined {
    const { choose } = this.#parts;
    if (issuer === undefined) return choose;
    return (offers, resource) =>
      offers.find((offer) => offer.issuer === issuer) ?? (choose ? choose(offers, resource) : offers[0]);
  }
}
