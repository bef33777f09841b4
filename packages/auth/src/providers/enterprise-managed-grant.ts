import { AuthError } from '../auth-error.js';
import type { OauthHttp } from '../http/oauth-http.js';
import type { ClientInformation } from '../oauth/client-information.js';
import type { GrantCall, GrantRequest, GrantTools } from '../oauth/grant.js';
import type { TokenEndpointOwner } from '../oauth/token-endpoint.js';
import type { TokenSet } from '../oauth/token-set.js';
import { exchangeIdentity, type Identity } from './identity-exchange.js';
import { jwtBearerType } from './jwt-bearer.js';
import { type PinnedCredentials, PinnedGrant, requestPinned } from './pinned-grant.js';

/** The input of an {@link IdentitySource}. */
export interface IdentityRequest {
  /** The identity provider that must have issued the identity, for this program's client id there. */
  readonly issuer: string;
  /** Identifier of the server that the user connects to. */
  readonly resource: string;
  /** True if the last identity was refused: sign the user in again, or refresh the ID token. */
  readonly fresh: boolean;
  readonly signal: AbortSignal | undefined;
}

/** Returns the identity of the user, from the sign-in of the user to this program. */
export type IdentitySource = (request: IdentityRequest) => Identity | Promise<Identity>;

/** The identity provider, and this program's client there. */
export interface IdentityProvider {
  readonly issuer: string;
  readonly client: ClientInformation;
  /** Sends requests to the identity provider, not to addresses from MCP servers. */
  readonly http: OauthHttp;
  /** Returns the token endpoint of the identity provider. @throws AuthError */
  find(signal: AbortSignal | undefined): Promise<TokenEndpointOwner>;
}

export interface EnterpriseParts {
  readonly provider: IdentityProvider;
  readonly identity: IdentitySource;
  /** This program's client at the authorization servers of MCP servers. */
  readonly client: PinnedCredentials;
}

/**
 * The grant for users of an enterprise: its identity provider decides which servers a user may access. The identity is sent
 * only to that provider, and the assertion from the provider only to the authorization server; neither is stored.
 * https://github.com/modelcontextprotocol/ext-auth/blob/main/specification/draft/enterprise-managed-authorization.mdx
 */
export class EnterpriseManagedGrant extends PinnedGrant {
  readonly type: string = jwtBearerType;
  readonly extension = 'io.modelcontextprotocol/enterprise-managed-authorization';
  readonly #parts: EnterpriseParts;

  constructor(parts: EnterpriseParts) {
    const { issuer, client } = parts.provider;
    super(parts.client, issuer, client.clientId);
    this.#parts = parts;
  }

  async obtain(request: GrantRequest, client: ClientInformation, tools: GrantTools): Promise<TokenSet> {
    const identity = await this.#identity(request, tools, false);
    try {
      return await this.#trade(identity, { request, client, tools });
    } catch (error) {
      if (!(error instanceof AuthError && error.oauthError === 'invalid_grant')) throw error;
      const fresh = await this.#identity(request, tools, true);
      // The same identity would be refused again.
      if (assertionOf(fresh) === assertionOf(identity)) throw error;
      return this.#trade(fresh, { request, client, tools });
    }
  }

  async #identity({ resource }: GrantRequest, { signal }: GrantTools, fresh: boolean): Promise<Identity> {
    const { issuer } = this.#parts.provider;
    const identity = await this.#parts.identity({ issuer, resource, fresh, signal });
    const text = assertionOf(identity);
    if (typeof text === 'string' && text !== '') return identity;
    throw new TypeError(
      'The function identity must return an ID token, or { saml }, as a string that is not empty.',
    );
  }

  async #trade(identity: Identity, { request, client, tools }: GrantCall): Promise<TokenSet> {
    const { server, resource, scopes } = request;
    const { provider } = this.#parts;
    const granted = await exchangeIdentity({
      provider: await provider.find(tools.signal),
      client: provider.client,
      identity,
      audience: server.issuer,
      resource,
      scopes,
      tools: { ...tools, http: provider.http },
    });
    const scope = (granted.scopes ?? scopes)?.join(' ');
    const params = { grant_type: this.type, assertion: granted.assertion, scope, resource };
    const tokens = await requestPinned({ request, client, tools }, params);
    // The requested scopes, not the granted ones: requesting the missing ones again would not help.
    return { ...tokens, scopes: tokens.scopes ?? granted.scopes, requested: scopes };
  }
}

function assertionOf(identity: Identity): unknown {
  return typeof identity === 'string' ? identity : identity?.saml;
}
