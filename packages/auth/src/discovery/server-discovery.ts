import type { Clock } from '@tenon/foundation';
import type { Revision } from '@tenon/mcp-protocol';
import type { OauthHttp } from '../http/oauth-http.js';
import {
  type AuthorizationServer,
  assumedServer,
  type fetchAuthorizationServer,
} from './authorization-server.js';
import type { BearerChallenge } from './challenges.js';
import type { ChooseAuthorizationServer, Discovery, discover } from './discovery.js';

/** The functions that discovery consists of; tests replace them. */
export interface DiscoverySteps {
  readonly discover: typeof discover;
  readonly fetchAuthorizationServer: typeof fetchAuthorizationServer;
}

export interface ServerDiscoveryParts {
  readonly url: URL;
  readonly http: OauthHttp;
  readonly clock: Clock;
  readonly steps: DiscoverySteps;
  readonly choose: ChooseAuthorizationServer | undefined;
  readonly allow: readonly string[] | undefined;
  /** Milliseconds that a result is used again. */
  readonly lifetime: number;
}

/** The input of one discovery. */
export interface DiscoveryInput {
  /** The challenge of the server. */
  readonly challenge: BearerChallenge | undefined;
  readonly revision: Revision | undefined;
  /** The issuer of the tokens that the client already has: preferred if the server still names it. */
  readonly issuer: string | undefined;
  /** True if a token was refused: an earlier result may be outdated then. */
  readonly refresh: boolean;
  readonly signal: AbortSignal | undefined;
}

/** Finds the authorization server of one server, and caches it for a while. */
export class ServerDiscovery {
  readonly #parts: ServerDiscoveryParts;
  #found:
    | { readonly discovery: Discovery; readonly metadata: string | undefined; readonly until: number }
    | undefined;

  constructor(parts: ServerDiscoveryParts) {
    this.#parts = parts;
  }

  /** @throws AuthError */
  async find(input: DiscoveryInput): Promise<Discovery> {
    const { url, http, clock, steps, allow, lifetime } = this.#parts;
    const { challenge, revision, refresh, signal } = input;
    const found = this.#found;
    const metadata = challenge?.resourceMetadata;
    const isSame = metadata === undefined || metadata === found?.metadata;
    if (!refresh && isSame && found !== undefined && this.#isFresh(found.until)) return found.discovery;
    const discovery = await steps.discover({
      server: url,
      challenge,
      http,
      choose: this.#choice(input.issuer),
      revision,
      allow,
      signal,
    });
    this.#found = { discovery, metadata, until: clock.now() + lifetime };
    return discovery;
  }

  /** Returns the authorization server that issued the tokens, even if the server names another one now. @throws AuthError */
  async issuerOf(
    owner: Pick<AuthorizationServer, 'issuer' | 'assumed'>,
    signal?: AbortSignal,
  ): Promise<AuthorizationServer> {
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

  /** False also if the clock was set back by more than the lifetime. */
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
