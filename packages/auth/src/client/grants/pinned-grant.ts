import type { AuthorizationServer } from '../discovery/authorization-server.js';
import type { ClientInformation } from '../registration/client-information.js';
import { canProve, type OwnCredentials, ownClient } from '../registration/own-credentials.js';
import { IssuerPin } from '../store/issuer-pin.js';
import { requestTokens } from '../token-endpoint/token-endpoint.js';
import type { TokenSet } from '../tokens/token-set.js';
import type { Grant, GrantRequest, GrantTools } from './grant.js';

/** Credentials, and the issuer that they may be sent to. */
export interface PinnedCredentials extends OwnCredentials {
  /** The function with these options, for errors, such as `clientCredentials()`. */
  readonly owner: string;
  /** The only issuer that receives them; undefined for the first issuer that a server names. */
  readonly issuer?: string | undefined;
}

/** A grant without user interaction, for a client that is registered at one issuer. */
export abstract class PinnedGrant implements Grant {
  abstract readonly type: string;
  readonly interactive = false;
  /** Distinguishes it from other grants; contains no secret. */
  readonly identity: string;
  readonly #information: ClientInformation;
  readonly #pin: IssuerPin;

  /** @param more - further parts of `identity`. */
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

/** The input of {@link requestPinned}. */
export interface PinnedRequest {
  readonly request: GrantRequest;
  readonly client: ClientInformation;
  readonly tools: GrantTools;
}

/**
 * Requests tokens, and drops the refresh token: the same credentials obtain new tokens at any time.
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

/** Returns the server without the method `none`, if the client has credentials. */
function provenAt(server: AuthorizationServer, client: ClientInformation): AuthorizationServer {
  if (!canProve(client)) return server;
  const tokenEndpointAuthMethods = server.tokenEndpointAuthMethods.filter((method) => method !== 'none');
  return { ...server, tokenEndpointAuthMethods };
}
