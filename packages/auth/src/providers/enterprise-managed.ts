import { optionRules, requireOptions } from '@tenon/foundation';
import { AuthError } from '../auth-error.js';
import type { ClientInformation } from '../oauth/client-information.js';
import type { GrantCall, GrantRequest, GrantTools } from '../oauth/grant.js';
import { credentialRules, type OwnCredentials, requireCredentials } from '../oauth/own-credentials.js';
import type { TokenSet } from '../oauth/token-set.js';
import { exchangeIdentity, type Identity } from './identity-exchange.js';
import {
  type IdentityProvider,
  type IdentityProviderOptions,
  identityProvider,
} from './identity-provider.js';
import { jwtBearerType } from './jwt-bearer.js';
import { OauthProvider } from './oauth-provider.js';
import { type PinnedCredentials, PinnedGrant, requestPinned } from './pinned-grant.js';
import { type ProviderOptions, requireProviderOptions } from './provider-options.js';

/** A client that is registered at the authorization servers of the MCP servers of an enterprise. */
export interface EnterpriseClient extends OwnCredentials {
  /**
   * The authorization server of the registration: only this one receives the credentials. Default: the first one that a server
   * names, remembered in the store.
   */
  readonly issuer?: string | undefined;
}

/** Options of {@link enterpriseManaged}. */
export interface EnterpriseManagedOptions extends ProviderOptions {
  readonly idp: IdentityProviderOptions;
  /**
   * Returns the ID token or SAML assertion that the identity provider issued when the user signed in to this program. It is sent
   * only to that provider, and not stored. For several users, make one provider each, or set the option `account`.
   */
  readonly identity: IdentitySource;
  readonly client: EnterpriseClient;
}

/**
 * Authorizes users of an enterprise at every server that their identity provider allows, without a further sign-in.
 * https://github.com/modelcontextprotocol/ext-auth/blob/main/specification/draft/enterprise-managed-authorization.mdx
 * @throws TypeError or RangeError if an option is invalid.
 */
export function enterpriseManaged(options: EnterpriseManagedOptions): OauthProvider {
  requireProviderOptions(owner, options, {
    idp: optionRules.object,
    identity: optionRules.callable,
    client: optionRules.object,
  });
  const { idp, identity, client, fetch, allow, clock } = options;
  for (const [name, value] of Object.entries({ idp, identity, client })) {
    if (value === undefined) throw new TypeError(`${owner}: ${name} is missing.`);
  }
  requireOptions<EnterpriseClient>(`${owner}: client`, client, credentialRules);
  requireCredentials(`${owner}: client`, client);
  const provider = identityProvider(`${owner}: idp`, idp, { fetch, allow, clock });
  const grant = new EnterpriseManagedGrant({ provider, identity, client: { ...client, owner } });
  return new OauthProvider({ grant, options });
}

const owner = 'enterpriseManaged()';

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
    const params = { grant_type: this.type, assertion: granted.assertion };
    const asked = { ...request, scopes: granted.scopes ?? scopes };
    const tokens = await requestPinned({ request: asked, client, tools }, params);
    // The requested scopes, not the granted ones: requesting the missing ones again would not help.
    return { ...tokens, scopes: tokens.scopes ?? granted.scopes, requested: scopes };
  }
}

function assertionOf(identity: Identity): unknown {
  return typeof identity === 'string' ? identity : identity?.saml;
}
