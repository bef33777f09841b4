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

/** A way to come by tokens without asking a person, for a client that is known to one issuer alone. */
export abstract class PinnedGrant implements Grant {
  abstract readonly type: string;
  readonly interactive = false;
  /** Tells it from others, without anything secret. */
  readonly identity: string;
  readonly #information: ClientInformation;
  readonly #pin: IssuerPin;

  /** @param more - what else tells it from others. */
  constructor({ owner, issuer, ...credentials }: PinnedCredentials, ...more: readonly string[]) {
    const { clientId } = credentials;
    this.identity = JSON.stringify([clientId, issuer ?? null, ...more]);
    this.#information = ownClient(credentials);
    this.#pin = new IssuerPin({ owner, issuer, clientId });
  }

  /** @throws AuthError `not-registered` for any other issuer. */
  async client(
    server: AuthorizationServer,
    { store }: Pick<GrantTools, 'store'>,
  ): Promise<ClientInformation> {
    await this.#pin.require(server.issuer, store);
    return this.#information;
  }

  abstract obtain(request: GrantRequest, client: ClientInformation, tools: GrantTools): Promise<TokenSet>;
}

/** Tokens that are wanted, and what vouches for whoever wants them. */
export interface PinnedRequest {
  readonly request: GrantRequest;
  readonly client: ClientInformation;
  readonly tools: GrantTools;
}

/**
 * Asks for tokens, without a refresh token: what they are given for gives others at any time, and whoever grants it is asked
 * again.
 * https://www.rfc-editor.org/rfc/rfc6749#section-4.4.3
 * @throws AuthError
 */
export async function requestPinned(
  { request, client, tools }: PinnedRequest,
  params: Readonly<Record<string, string | undefined>>,
): Promise<TokenSet> {
  const tokens = await requestTokens({ server: provenAt(request.server, client), client, params, tools });
  return { ...tokens, refreshToken: undefined };
}

/** The server as it is to a client that proves who it is, and never just says so. */
function provenAt(server: AuthorizationServer, client: ClientInformation): AuthorizationServer {
  if (!canProve(client)) return server;
  const tokenEndpointAuthMethods = server.tokenEndpointAuthMethods.filter((method) => method !== 'none');
  return { ...server, tokenEndpointAuthMethods };
}
