import { isUrl } from '@tenon/mcp-protocol/internal';
import { type OptionRule, requireOptions } from '@tenon/mcp-session/internal';
import { type SafeHttpOptions, safeHttp } from '../http/safe-http.js';
import type { IdentityProvider } from './enterprise-managed-grant.js';
import { credentialRules, type OwnCredentials, ownClient, requireCredentials } from './own-credentials.js';
import { isPrivateWay } from './private-way.js';
import { fetchAuthorizationServer } from './server-metadata.js';

/** The identity provider of an enterprise, and what it knows this program as. */
export interface IdentityProviderOptions extends OwnCredentials {
  readonly issuer: string;
  /** Where it trades identities; by default where its metadata says. */
  readonly tokenEndpoint?: string | URL | undefined;
}

const rules: { readonly [Name in keyof Required<IdentityProviderOptions>]: OptionRule } = {
  ...credentialRules,
  tokenEndpoint: {
    is: 'an https address',
    allows: (value) => isUrl(String(value)) && isPrivateWay(new URL(String(value))),
  },
};

/**
 * An identity provider. Requests to it are checked against its own address: how private it is depends on who configured it,
 * and not on where MCP servers are.
 * @throws TypeError for options that cannot work.
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
        : { ...unsaid, issuer, tokenEndpoint: endpoint },
  };
}

/** Where nobody asks for metadata, the client's own way to authenticate is taken to be the right one. */
const unsaid = {
  tokenEndpointAuthMethods: ['private_key_jwt', 'client_secret_basic', 'client_secret_post'],
  tokenEndpointAuthSigningAlgs: undefined,
};
