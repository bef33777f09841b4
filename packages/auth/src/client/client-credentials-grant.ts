import type { AuthorizationServer } from './authorization-server.js';
import type { ClientInformation } from './client-information.js';
import type { Grant, GrantRequest, GrantTools } from './grant.js';
import { IssuerPin } from './issuer-pin.js';
import { canProve, type OwnCredentials, ownClient } from './own-credentials.js';
import { requestTokens } from './token-endpoint.js';
import type { TokenSet } from './token-set.js';

/** Whose credentials they are, and where they may go. */
export interface PinnedCredentials extends OwnCredentials {
  /** Whom a message names, such as `clientCredentials()`. */
  readonly owner: string;
  /** The only issuer that gets any of them; undefined for the first one that is seen. */
  readonly issuer?: string | undefined;
}

/**
 * A program that acts on its own.
 * https://www.rfc-editor.org/rfc/rfc6749#section-4.4
 */
export class ClientCredentialsGrant implements Grant {
  readonly type = 'client_credentials';
  readonly extension = 'io.modelcontextprotocol/oauth-client-credentials';
  readonly identity: string;
  readonly interactive = false;
  readonly #client: PinnedClient;

  constructor(credentials: PinnedCredentials) {
    this.#client = new PinnedClient(credentials);
    this.identity = this.#client.identity;
  }

  client(server: AuthorizationServer, tools: GrantTools): Promise<ClientInformation> {
    return this.#client.at(server, tools);
  }

  async obtain(
    { server, resource, scopes }: GrantRequest,
    client: ClientInformation,
    tools: GrantTools,
  ): Promise<TokenSet> {
    const params = { grant_type: this.type, scope: scopes?.join(' '), resource };
    return withoutRefresh(await requestTokens({ server: provenAt(server, client), client, params, tools }));
  }
}

/** A client that is known to one issuer alone. */
export class PinnedClient {
  /** Tells it from others, without anything secret. */
  readonly identity: string;
  readonly #information: ClientInformation;
  readonly #pin: IssuerPin;

  constructor({ owner, issuer, ...credentials }: PinnedCredentials) {
    this.identity = JSON.stringify([credentials.clientId, issuer ?? null]);
    this.#information = ownClient(credentials);
    this.#pin = new IssuerPin({ owner, issuer, clientId: credentials.clientId });
  }

  /** @throws AuthError `not-registered` for any other issuer. */
  async at(server: AuthorizationServer, { store }: Pick<GrantTools, 'store'>): Promise<ClientInformation> {
    await this.#pin.require(server.issuer, store);
    return this.#information;
  }
}

/** The server as it is to a client that proves who it is, and never just says so. */
export function provenAt(server: AuthorizationServer, client: ClientInformation): AuthorizationServer {
  if (!canProve(client)) return server;
  const tokenEndpointAuthMethods = server.tokenEndpointAuthMethods.filter((method) => method !== 'none');
  return { ...server, tokenEndpointAuthMethods };
}

/**
 * Tokens without a refresh token: what they were given for gives others at any time, and whoever grants it is asked again.
 * https://www.rfc-editor.org/rfc/rfc6749#section-4.4.3
 */
export function withoutRefresh(tokens: TokenSet): TokenSet {
  return { ...tokens, refreshToken: undefined };
}
