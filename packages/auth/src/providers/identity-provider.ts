import { type OptionRule, requireOptions } from '@tenon/foundation';
import { isHttpsOrLoopback, isUrl } from '@tenon/mcp-protocol/internal';
import { fetchAuthorizationServer } from '../discovery/authorization-server.js';
import type { OauthHttp } from '../http/oauth-http.js';
import { type SafeHttpOptions, safeHttp } from '../http/safe-http.js';
import type { ClientInformation } from '../oauth/client-information.js';
import {
  credentialRules,
  type OwnCredentials,
  ownClient,
  requireCredentials,
} from '../oauth/own-credentials.js';
import type { TokenEndpointOwner } from '../oauth/token-endpoint.js';

/** The identity provider of an enterprise, and this program's credentials there. */
export interface IdentityProviderOptions extends OwnCredentials {
  readonly issuer: string;
  /** Its token endpoint; default: the one in its metadata. */
  readonly tokenEndpoint?: string | URL | undefined;
}

/** The identity provider, and this program's client there. */
export interface IdentityProvider {
  readonly issuer: string;
  readonly client: ClientInformation;
  /** Sends requests to the identity provider, not to addresses from MCP servers. */
  readonly http: OauthHttp;
  /** Returns the token endpoint of the identity provider. @throws AuthError */
  find(signal: AbortSignal | undefined): Promise<TokenEndpointOwner>;
}

const rules: { readonly [Name in keyof Required<IdentityProviderOptions>]: OptionRule } = {
  ...credentialRules,
  tokenEndpoint: {
    is: 'an https address',
    allows: (value) => isUrl(String(value)) && isHttpsOrLoopback(new URL(String(value))),
  },
};

/**
 * Returns an identity provider. Its requests are checked against its own URL: it may be in a private network because the
 * configuration says so, independently of the MCP servers.
 * @throws TypeError if an option is invalid.
 */
export function identityProvider(
  owner: string,
  options: IdentityProviderOptions,
  reach: Omit<SafeHttpOptions, 'server'>,
): IdentityProvider {
  requireOptions<IdentityProviderOptions>(owner, options, rules);
  requireCredentials(owner, options);
  const { issuer, tokenEndpoint } = options;
  if (issuer === undefined) throw new TypeError(`${owner}: issuer is missing.`);
  const endpoint = tokenEndpoint === undefined ? undefined : new URL(tokenEndpoint);
  const http = safeHttp({ ...reach, server: endpoint ?? new URL(issuer) });
  return {
    issuer,
    client: ownClient(options),
    http,
    find: async (signal) =>
      endpoint === undefined
        ? fetchAuthorizationServer({ issuer, http, allow: reach.allow, signal })
        : { ...withoutMetadata, issuer, tokenEndpoint: endpoint },
  };
}

/** Without metadata, the client's own authentication method is used. */
const withoutMetadata = {
  tokenEndpointAuthMethods: ['private_key_jwt', 'client_secret_basic', 'client_secret_post'],
  tokenEndpointAuthSigningAlgs: undefined,
};
