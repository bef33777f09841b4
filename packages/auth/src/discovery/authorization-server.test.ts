import { expect, test } from 'vitest';
import { type Scripted, ScriptedHttp } from '../../test/http/scripted-http.js';
import { assumedServer, fetchAuthorizationServer } from './authorization-server.js';

const issuer = 'https://auth.example/tenant1';
const first = 'https://auth.example/.well-known/oauth-authorization-server/tenant1';
const inserted = 'https://auth.example/.well-known/openid-configuration/tenant1';
const appended = 'https://auth.example/tenant1/.well-known/openid-configuration';

const minimal = {
  issuer,
  authorization_endpoint: 'https://auth.example/authorize',
  token_endpoint: 'https://auth.example/token',
};

function fetchFrom(
  answers: Readonly<Record<string, Scripted>>,
  more: { issuer?: string; allow?: string[] } = {},
) {
  const http = new ScriptedHttp();
  for (const [url, answer] of Object.entries(answers)) http.on(url, answer);
  const asked = () => http.requests.map(({ url }) => url.href);
  return { asked, server: fetchAuthorizationServer({ issuer, http, ...more }) };
}

test('reads all members that a client needs', async () => {
  const { server } = fetchFrom({
    [first]: {
      body: {
        ...minimal,
        registration_endpoint: 'https://auth.example/register',
        revocation_endpoint: 'https://auth.example/revoke',
        jwks_uri: 'https://keys.example/jwks',
        scopes_supported: ['a', 7, 'b', 'a', ''],
        grant_types_supported: ['authorization_code'],
        token_endpoint_auth_methods_supported: ['none'],
        token_endpoint_auth_signing_alg_values_supported: ['ES256'],
        code_challenge_methods_supported: ['S256'],
        authorization_response_iss_parameter_supported: true,
        client_id_metadata_document_supported: true,
        dpop_signing_alg_values_supported: ['ES256'],
        signed_metadata: 'a.b.c',
      },
    },
  });
  expect(await server).toEqual({
    issuer,
    authorizationEndpoint: new URL('https://auth.example/authorize'),
    tokenEndpoint: new URL('https://auth.example/token'),
    registrationEndpoint: new URL('https://auth.example/register'),
    revocationEndpoint: new URL('https://auth.example/revoke'),
    jwksUri: new URL('https://keys.example/jwks'),
    scopesSupported: ['a', 'b'],
    grantTypesSupported: ['authorization_code'],
    tokenEndpointAuthMethods: ['none'],
    tokenEndpointAuthSigningAlgs: ['ES256'],
    codeChallengeMethods: ['S256'],
    issInResponse: true,
    clientIdMetadataDocuments: true,
    dpopSigningAlgs: ['ES256'],
    assumed: false,
  });
});

test('ignores absent and malformed members', async () => {
  const { server } = fetchFrom({
    [first]: {
      body: {
        ...minimal,
        registration_endpoint: null,
        scopes_supported: 'a b',
        authorization_response_iss_parameter_supported: 'true',
        client_id_metadata_document_supported: 1,
        code_challenge_methods_supported: 'S256',
      },
    },
  });
  expect(await server).toMatchObject({
    registrationEndpoint: undefined,
    scopesSupported: undefined,
    tokenEndpointAuthMethods: ['client_secret_basic'],
    codeChallengeMethods: undefined,
    issInResponse: false,
    clientIdMetadataDocuments: false,
  });
});

test('tries the three well-known URLs in order, until one has metadata', async () => {
  for (const [at, place] of [first, inserted, appended].entries()) {
    const { server, asked } = fetchFrom({ [place]: { body: minimal } });
    await expect(server).resolves.toMatchObject({ issuer });
    expect(asked()).toEqual([first, inserted, appended].slice(0, at + 1));
  }
});

test('tries two well-known URLs for an issuer without a path, with or without a trailing slash', async () => {
  for (const root of ['https://auth.example', 'https://auth.example/']) {
    const { server, asked } = fetchFrom({}, { issuer: root });
    await expect(server).rejects.toMatchObject({
      reason: 'discovery-failed',
      message: `The authorization server ${root} has no metadata at https://auth.example/.well-known/oauth-authorization-server (status 404), https://auth.example/.well-known/openid-configuration (status 404).`,
    });
    expect(asked()).toHaveLength(2);
  }
});

test('rejects metadata of any other issuer', async () => {
  const others = [
    'https://auth.example/tenant1/',
    'https://auth.example',
    'https://AUTH.example/tenant1',
    'https://auth.example:443/tenant1',
    'https://attacker.example',
    'https://auth.example/tenant%31',
    '',
    7,
    null,
    undefined,
    [issuer],
  ];
  for (const other of others) {
    const { server, asked } = fetchFrom({
      [first]: { body: { ...minimal, issuer: other } },
      [inserted]: { body: minimal },
    });
    await expect(server, String(other)).rejects.toMatchObject({ reason: 'mismatch' });
    expect(asked()).toEqual([first]);
  }
  const slash = fetchFrom({ [first]: { body: { ...minimal, issuer: `${issuer}/` } } });
  await expect(slash.server).rejects.toThrow(/including the slash at the end/);
  const proto = fetchFrom({ [first]: { body: `{"__proto__":${JSON.stringify(minimal)}}` } });
  await expect(proto.server).rejects.toThrow(/names no issuer/);
});

test('tries the next URL after an error, and reports the error if none has metadata', async () => {
  const failing = { status: 503 };
  const later = fetchFrom({ [first]: failing, [inserted]: { body: minimal } });
  await expect(later.server).resolves.toMatchObject({ issuer });
  const never = fetchFrom({ [first]: failing });
  await expect(never.server).rejects.toMatchObject({ reason: 'unreachable', answerStatus: 503 });
  expect(never.asked()).toHaveLength(3);
  const broken = fetchFrom({ [first]: { body: '{' }, [inserted]: { body: minimal } });
  await expect(broken.server).rejects.toMatchObject({ reason: 'unreachable' });
  expect(broken.asked()).toEqual([first]);
});

test('rejects metadata with a required endpoint that must not be used', async () => {
  const bad = [
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///bin/sh',
    'http://auth.example/x',
    'https://u:p@auth.example/',
    '/x',
    7,
  ];
  for (const name of ['authorization_endpoint', 'token_endpoint', 'registration_endpoint']) {
    for (const text of bad) {
      const { server } = fetchFrom({ [first]: { body: { ...minimal, [name]: text } } });
      await expect(server, `${name} ${text}`).rejects.toMatchObject({
        reason: 'forbidden-address',
        message: expect.stringContaining(`The ${name} of ${issuer} cannot be used`),
      });
    }
  }
});

test('ignores an unusable jwks_uri and revocation_endpoint', async () => {
  const body = { ...minimal, jwks_uri: 'http://keycloak:8080/jwks', revocation_endpoint: 'file:///x' };
  const { server } = fetchFrom({ [first]: { body } });
  expect(await server).toMatchObject({ jwksUri: undefined, revocationEndpoint: undefined });
});

test('requires an issuer that is https or trusted, without query and fragment', async () => {
  for (const bad of [
    'http://auth.example',
    'https://auth.example?a=b',
    'https://auth.example#x',
    'auth.example',
    'file:///x',
    'https://u@auth.example',
  ]) {
    const { server, asked } = fetchFrom({}, { issuer: bad });
    await expect(server, bad).rejects.toMatchObject({ reason: 'forbidden-address' });
    expect(asked()).toEqual([]);
  }
  const inside = 'http://keycloak:8080';
  const body = { ...minimal, issuer: inside, jwks_uri: `${inside}/jwks` };
  const { server } = fetchFrom(
    { [`${inside}/.well-known/oauth-authorization-server`]: { body } },
    { issuer: inside, allow: [inside] },
  );
  expect((await server).jwksUri?.href).toBe('http://keycloak:8080/jwks');
});

test('assumes endpoints at the https origin of the server', () => {
  expect(assumedServer(new URL('https://mcp.example/v1/mcp?a=b'))).toMatchObject({
    issuer: 'https://mcp.example',
    authorizationEndpoint: new URL('https://mcp.example/authorize'),
    tokenEndpoint: new URL('https://mcp.example/token'),
    registrationEndpoint: new URL('https://mcp.example/register'),
    assumed: true,
  });
  expect(() => assumedServer(new URL('http://mcp.example/mcp'))).toThrow(/it is not https/);
  expect(assumedServer(new URL('http://mcp.example/mcp'), ['http://mcp.example']).assumed).toBe(true);
});
