import { afterEach, expect, test } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import type { TestAuthorizationServer, TestAuthorizationServerOptions } from '../oauth.js';
import { startTestAuthorizationServer } from '../oauth.js';

let server: TestAuthorizationServer;

afterEach(() => server.close());

async function served(options: TestAuthorizationServerOptions): Promise<readonly string[]> {
  server = await startTestAuthorizationServer(options);
  const path = options.path ?? '';
  const addresses = [
    `/.well-known/oauth-authorization-server${path}`,
    `/.well-known/openid-configuration${path}`,
    `${path}/.well-known/openid-configuration`,
  ];
  const found = [];
  for (const address of new Set(addresses)) {
    const response = await fetch(server.origin + address);
    const document = (await response.json()) as Readonly<Record<string, unknown>>;
    if (response.status !== 200) continue;
    expect(document.issuer).toBe(server.issuer);
    found.push(address);
  }
  return found;
}

test('serves metadata at two paths for an issuer without a path', async () => {
  shows(
    '2025-03-26/authorization/metadata-servers-follow',
    '2026-07-28/basic/authorization/index/server-discovery',
  );
  expect(await served({})).toEqual([
    '/.well-known/oauth-authorization-server',
    '/.well-known/openid-configuration',
  ]);
});

test("serves metadata with the issuer's path inserted or appended", async () => {
  shows(
    '2026-07-28/basic/authorization/index/server-discovery',
    '2026-07-28/basic/authorization/security-considerations/pkce-oidc-included',
  );
  expect(await served({ path: '/tenant' })).toEqual([
    '/.well-known/oauth-authorization-server/tenant',
    '/.well-known/openid-configuration/tenant',
    '/tenant/.well-known/openid-configuration',
  ]);
  expect(server.issuer).toBe(`${server.origin}/tenant`);
});

test.each([
  ['oauth', '/.well-known/oauth-authorization-server/tenant'],
  ['oidc-inserted', '/.well-known/openid-configuration/tenant'],
  ['oidc-appended', '/tenant/.well-known/openid-configuration'],
] as const)('serves only %s at %s', async (form, address) => {
  expect(await served({ path: '/tenant', discovery: [form] })).toEqual([address]);
});

test('serves no metadata if discovery is empty', async () => {
  expect(await served({ discovery: [] })).toEqual([]);
  expect(server.count('metadata')).toBe(2);
});

test('describes the server', async () => {
  shows(
    '2025-03-26/authorization/metadata-servers',
    '2025-03-26/authorization/metadata-servers-follow',
    '2026-07-28/basic/authorization/index/iss-advertised',
    '2026-07-28/basic/authorization/security-considerations/pkce-oidc-included',
  );
  server = await startTestAuthorizationServer({ scopesSupported: ['read', 'offline_access'] });
  const { issuer } = server;
  expect(await metadata()).toMatchObject({
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    registration_endpoint: `${issuer}/register`,
    jwks_uri: `${issuer}/jwks`,
    introspection_endpoint: `${issuer}/introspect`,
    revocation_endpoint: `${issuer}/revoke`,
    scopes_supported: ['read', 'offline_access'],
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    token_endpoint_auth_methods_supported: expect.arrayContaining(['none', 'private_key_jwt']),
    token_endpoint_auth_signing_alg_values_supported: expect.arrayContaining(['ES256']),
    dpop_signing_alg_values_supported: expect.arrayContaining(['ES256']),
    grant_types_supported: expect.arrayContaining(['authorization_code', 'refresh_token']),
  });
});

test('leaves out what is switched off, and lets a test change the rest', async () => {
  server = await startTestAuthorizationServer({
    registration: 'off',
    clientIdDocuments: false,
    dpop: 'off',
    authMethods: ['client_secret_basic'],
    grantTypes: ['client_credentials'],
    metadata: ({ code_challenge_methods_supported: _pkce, ...document }) => ({
      ...document,
      issuer: 'https://evil.example',
    }),
  });
  const document = await metadata();
  for (const name of [
    'registration_endpoint',
    'dpop_signing_alg_values_supported',
    'scopes_supported',
    'code_challenge_methods_supported',
    'token_endpoint_auth_signing_alg_values_supported',
    'identity_chaining_requested_token_types_supported',
  ])
    expect(document).not.toHaveProperty(name);
  expect(document).toMatchObject({
    issuer: 'https://evil.example',
    client_id_metadata_document_supported: false,
    grant_types_supported: ['client_credentials'],
    token_endpoint_auth_methods_supported: ['client_secret_basic'],
  });
});

async function metadata(): Promise<Record<string, unknown>> {
  const response = await fetch(`${server.origin}/.well-known/oauth-authorization-server`);
  expect(response.headers.get('content-type')).toBe('application/json');
  return (await response.json()) as Record<string, unknown>;
}
