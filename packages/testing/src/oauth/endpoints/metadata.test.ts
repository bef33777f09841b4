import { afterEach, expect, test } from 'vitest';
import type { TestAuthorizationServer, TestAuthorizationServerOptions } from '../../oauth.js';
import { startTestAuthorizationServer } from '../../oauth.js';

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

test('an issuer without a path has its metadata at two addresses', async () => {
  expect(await served({})).toEqual([
    '/.well-known/oauth-authorization-server',
    '/.well-known/openid-configuration',
  ]);
});

test('an issuer with a path has it in the path, or after it', async () => {
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
] as const)('%s alone is served at %s', async (form, address) => {
  expect(await served({ path: '/tenant', discovery: [form] })).toEqual([address]);
});

test('no metadata is served where no form is', async () => {
  expect(await served({ discovery: [] })).toEqual([]);
  expect(server.count('metadata')).toBe(2);
});

test('it says what the server does', async () => {
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

test('it names nothing that is switched off, and a test may change the rest', async () => {
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
