import { AuthError } from '../auth-error.js';
import type { OauthHttp } from '../http/oauth-http.js';
import type { ClientInformation } from './client-information.js';
import type { GrantRequest, GrantTools } from './grant.js';
import { exchangeIdentity, type Identity } from './identity-exchange.js';
import { jwtBearerType } from './jwt-bearer-grant.js';
import { type PinnedCredentials, PinnedGrant, type PinnedRequest, requestPinned } from './pinned-grant.js';
import type { TokenEndpointOwner } from './token-endpoint.js';
import type { TokenSet } from './token-set.js';

/** What an identity is needed for. */
export interface IdentityRequest {
  /** The identity provider that is to have issued it, for the client id it knows this program by. */
  readonly issuer: string;
  /** Identifier of the server that the user wants to use. */
  readonly resource: string;
  /** The identity given before was refused: sign the user in again, or refresh his ID token. */
  readonly fresh: boolean;
  readonly signal: AbortSignal | undefined;
}

/** Gives the identity of the user, from when he signed in to this program. */
export type IdentitySource = (request: IdentityRequest) => Identity | Promise<Identity>;

/** The identity provider, and what it knows this program as. */
export interface IdentityProvider {
  readonly issuer: string;
  readonly client: ClientInformation;
  /** Reaches it, and nothing that an MCP server names. */
  readonly http: OauthHttp;
  /** Where it trades identities. @throws AuthError */
  find(signal: AbortSignal | undefined): Promise<TokenEndpointOwner>;
}

/** The parts of a grant of an enterprise. */
export interface EnterpriseParts {
  readonly provider: IdentityProvider;
  readonly identity: IdentitySource;
  /** What the authorization servers of MCP servers know this program as. */
  readonly client: PinnedCredentials;
}

/**
 * A user whose employer's identity provider says where he may go. The identity goes to that provider alone, and what it
 * gives for it to the authorization server alone; neither is kept.
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
      // The same again would be refused again.
      if (textOf(fresh) === textOf(identity)) throw error;
      return this.#trade(fresh, { request, client, tools });
    }
  }

  async #identity({ resource }: GrantRequest, { signal }: GrantTools, fresh: boolean): Promise<Identity> {
    const { issuer } = this.#parts.provider;
    const identity = await this.#parts.identity({ issuer, resource, fresh, signal });
    const text = textOf(identity);
    if (typeof text === 'string' && text !== '') return identity;
    throw new TypeError(
      'The function identity must give an ID token, or { saml }, as a text that is not empty.',
    );
  }

  async #trade(identity: Identity, { request, client, tools }: PinnedRequest): Promise<TokenSet> {
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
    // What was wanted, not what was let through: asking for it again would not give more.
    return { ...tokens, scopes: tokens.scopes ?? granted.scopes, requested: scopes };
  }
}

function textOf(identity: Identity): unknown {
  return typeof identity === 'string' ? identity : identity?.saml;
}
