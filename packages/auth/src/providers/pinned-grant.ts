import { withoutControls } from '@tenon/foundation';
import { AuthError } from '../auth-error.js';
import type { AuthorizationServer } from '../discovery/authorization-server.js';
import type { ClientInformation } from '../oauth/client-information.js';
import type { Grant, GrantCall, GrantRequest, GrantTools } from '../oauth/grant.js';
import { canProve, type OwnCredentials, ownClient } from '../oauth/own-credentials.js';
import { digestOf } from '../oauth/secrets.js';
import { requestTokens } from '../oauth/token-endpoint.js';
import type { TokenSet } from '../oauth/token-set.js';
import type { AuthStore } from '../store/auth-store.js';
import { changeEntry } from '../store/change-entry.js';

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

/**
 * Requests tokens for the resource and the scopes of a request, and drops the refresh token: the same credentials obtain new
 * tokens at any time.
 * https://www.rfc-editor.org/rfc/rfc6749#section-4.4.3
 * @throws AuthError
 */
export async function requestPinned(
  { request, client, tools }: GrantCall,
  params: Readonly<Record<string, string | undefined>>,
): Promise<TokenSet> {
  const { server, resource, scopes } = request;
  const whole = { scope: scopes?.join(' '), resource, ...params };
  const tokens = await requestTokens({ server: provenAt(server, client), client, params: whole, tools });
  return { ...tokens, refreshToken: undefined };
}

/** Returns the server without the method `none`, if the client has credentials. */
function provenAt(server: AuthorizationServer, client: ClientInformation): AuthorizationServer {
  if (!canProve(client)) return server;
  const tokenEndpointAuthMethods = server.tokenEndpointAuthMethods.filter((method) => method !== 'none');
  return { ...server, tokenEndpointAuthMethods };
}

type PinOptions = Pick<PinnedCredentials, 'owner' | 'issuer' | 'clientId'>;

/**
 * Binds credentials to one issuer: the configured one, or else the first that a server names, which is stored under the client
 * id (only in memory if it is empty). Credentials are not sent to any other issuer that a server names later.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization/client-registration#authorization-server-binding
 */
export class IssuerPin {
  readonly #options: PinOptions;
  #issuer: string | undefined;

  constructor(options: PinOptions) {
    this.#options = options;
    this.#issuer = options.issuer;
  }

  /** @throws AuthError `not-registered` for any other issuer; the error of the store. */
  async require(issuer: string, store: AuthStore): Promise<void> {
    if (this.#issuer === undefined && this.#options.clientId !== '') {
      const kept = await this.#kept(issuer, store);
      this.#issuer ??= kept;
    }
    this.#issuer ??= issuer;
    if (this.#issuer === issuer) return;
    const [own, named] = [this.#issuer, issuer].map((text) => withoutControls(text.slice(0, 200)));
    const moved = this.#options.issuer === undefined ? ' If that is correct, set the option issuer.' : '';
    throw new AuthError(
      'not-registered',
      `The credentials of ${this.#options.owner} are for ${own}, and the server names ${named}: nothing was sent.${moved}`,
    );
  }

  /** Returns the stored issuer; stores this one if there is none. */
  async #kept(issuer: string, store: AuthStore): Promise<string> {
    const key = `issuer:${await digestOf(this.#options.clientId)}`;
    const kept = await changeEntry({ store, key }, (value) =>
      typeof value?.issuer === 'string' ? value : { issuer },
    );
    return kept?.issuer as string;
  }
}
