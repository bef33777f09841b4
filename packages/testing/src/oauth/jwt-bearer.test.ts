import { decodeJwt, decodeProtectedHeader } from 'jose';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  type Answer,
  newSigner,
  publicClient,
  requestToken,
  type Signer,
  secretClient,
  signIn,
} from '../../test/oauth-exchange.js';
import type { TestAuthorizationServer } from '../oauth.js';
import { startTestAuthorizationServer } from '../oauth.js';

const jwtBearer = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const resource = 'https://mcp.example/mcp';

let idp: TestAuthorizationServer;
let server: TestAuthorizationServer;

beforeEach(async () => {
  idp = await startTestAuthorizationServer({ clients: [publicClient] });
  server = await startTestAuthorizationServer({
    clients: [secretClient],
    trustedIssuers: [{ issuer: idp.issuer, jwks: () => idp.jwks }],
  });
});

afterEach(() => Promise.all([idp.close(), server.close()]));

function present(assertion: string, changes: Parameters<typeof requestToken>[1] = {}): Promise<Answer> {
  return requestToken(server, {
    grant_type: jwtBearer,
    assertion,
    client_id: 'backend',
    client_secret: 'hush',
    ...changes,
  });
}

function idJag(token: Parameters<TestAuthorizationServer['issueToken']>[0] = {}): Promise<string> {
  return idp.issueToken({
    kind: 'id-jag',
    subject: 'ada',
    clientId: 'backend',
    audience: server.issuer,
    scopes: ['read', 'write'],
    ...token,
    claims: { resource, ...token.claims },
  });
}

test('exchanges an ID token of one server for an access token of another', async () => {
  idp.behave({
    user: 'ada',
    idJagClient: (_clientId, audience) => (audience === server.issuer ? 'backend' : 'nobody'),
  });
  const { id_token: idToken } = await signIn(idp, { scope: 'openid' });
  const exchanged = await requestToken(idp, {
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    requested_token_type: 'urn:ietf:params:oauth:token-type:id-jag',
    audience: server.issuer,
    resource,
    scope: 'read',
    subject_token: String(idToken),
    subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
    client_id: 'desk',
  });
  expect(exchanged.body).toEqual({
    issued_token_type: 'urn:ietf:params:oauth:token-type:id-jag',
    access_token: expect.any(String),
    token_type: 'N_A',
    expires_in: 300,
    scope: 'read',
  });
  const assertion = String(exchanged.body.access_token);
  expect(decodeProtectedHeader(assertion).typ).toBe('oauth-id-jag+jwt');
  expect(decodeJwt(assertion)).toMatchObject({
    iss: idp.issuer,
    sub: 'ada',
    aud: server.issuer,
    client_id: 'backend',
    resource,
    scope: 'read',
  });
  const { body } = await present(assertion);
  expect(body).toMatchObject({ token_type: 'Bearer', scope: 'read' });
  expect(body).not.toHaveProperty('refresh_token');
  expect(decodeJwt(String(body.access_token))).toMatchObject({
    sub: 'ada',
    client_id: 'backend',
    aud: resource,
  });
});

test('grants the scopes of the assertion, or fewer', async () => {
  expect((await present(await idJag())).body.scope).toBe('read write');
  expect((await present(await idJag(), { scope: 'write' })).body.scope).toBe('write');
  expect((await present(await idJag(), { scope: 'admin' })).body.error).toBe('invalid_scope');
});

test('accepts an assertion once', async () => {
  const assertion = await idJag();
  expect((await present(assertion)).status).toBe(200);
  expect((await present(assertion)).body.error).toBe('invalid_grant');
});

test.each([
  ['another audience', { audience: 'https://other.example' }],
  ['another client', { clientId: 'desk' }],
  ['an expired one', { lifetime: -1_000 }],
  ['one from the future', { claims: { iat: 4_000_000_000 } }],
  ['one that says not when it ends', { claims: { exp: undefined } }],
  ['one without jti', { claims: { jti: undefined } }],
  ['one without iat', { claims: { iat: undefined } }],
  ['one without a resource', { claims: { resource: undefined } }],
  ['one of another type', { header: { typ: 'JWT' } }],
  ['an unknown issuer', { claims: { iss: 'https://evil.example' } }],
  ['no signature', { signature: 'none' }],
  ['a signature by the public key', { signature: 'hs256-public-key' }],
  ['a signature by another key', { signature: 'wrong-key' }],
] as const)('rejects %s', async (_name, token) => {
  const answer = await present(await idJag(token));
  expect(answer.status).toBe(400);
  expect(answer.body.error).toBe('invalid_grant');
});

test('rejects an unknown resource', async () => {
  server.behave({ resources: ['https://other.example/'] });
  expect((await present(await idJag())).body.error).toBe('invalid_target');
});

test('requires client authentication', async () => {
  const { body } = await requestToken(server, { grant_type: jwtBearer, assertion: await idJag() });
  expect(body.error).toBe('invalid_client');
});

test('rejects an assertion that is not a JWT', async () => {
  expect((await present('gibberish')).body.error).toBe('invalid_grant');
  expect((await present('')).body.error).toBe('invalid_request');
});

test.each([
  ['access token for an ID token', { kind: 'access' }],
  ['ID token for another client', { audience: 'other' }],
  ['ID token that has expired', { lifetime: -1_000 }],
  ['ID token without a signature', { signature: 'none' }],
] as const)('the identity provider rejects %s', async (_name, token) => {
  const answer = await requestToken(idp, {
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    requested_token_type: 'urn:ietf:params:oauth:token-type:id-jag',
    audience: server.issuer,
    resource,
    subject_token: await idp.issueToken({ kind: 'id', clientId: 'desk', audience: 'desk', ...token }),
    subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
    client_id: 'desk',
  });
  expect(answer.body.error).toBe('invalid_grant');
});

test.each([
  ['requested_token_type', 'urn:ietf:params:oauth:token-type:access_token', 'invalid_request'],
  ['subject_token_type', 'urn:ietf:params:oauth:token-type:saml2', 'invalid_request'],
  ['audience', undefined, 'invalid_request'],
  ['resource', undefined, 'invalid_request'],
  ['resource', 'no uri', 'invalid_target'],
])('rejects an exchange with %s = %s', async (name, value, error) => {
  const answer = await requestToken(idp, {
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    requested_token_type: 'urn:ietf:params:oauth:token-type:id-jag',
    audience: server.issuer,
    resource,
    subject_token: await idp.issueToken({ kind: 'id', clientId: 'desk' }),
    subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
    client_id: 'desk',
    [name]: value,
  });
  expect(answer.body.error).toBe(error);
});

test('lists the grant in the metadata', async () => {
  const document = await fetch(`${server.issuer}/.well-known/oauth-authorization-server`).then((response) =>
    response.json(),
  );
  expect(document).toMatchObject({
    authorization_grant_profiles_supported: ['urn:ietf:params:oauth:grant-profile:id-jag'],
    identity_chaining_requested_token_types_supported: ['urn:ietf:params:oauth:token-type:id-jag'],
  });
});

async function platform(): Promise<Signer> {
  const signer = await newSigner();
  server.behave({
    trustedIssuers: [{ issuer: 'https://platform.example', jwks: signer.jwks, kind: 'workload' }],
  });
  return signer;
}

const workload = { iss: 'https://platform.example', sub: 'spiffe://platform/agent', exp: 4_000_000_000 };

test('issues a token for the assertion of a workload, with or without a client', async () => {
  const signer = await platform();
  const assertion = await signer.sign({ ...workload, aud: server.issuer });
  const params = { grant_type: jwtBearer, assertion, scope: 'read', resource };
  const { body } = await requestToken(server, params);
  expect(body.scope).toBe('read');
  const claims = decodeJwt(String(body.access_token));
  expect(claims).toMatchObject({ sub: 'spiffe://platform/agent', aud: resource });
  expect(claims).not.toHaveProperty('client_id');
  const named = await requestToken(server, { ...params, client_id: 'backend', client_secret: 'hush' });
  expect(decodeJwt(String(named.body.access_token))).toMatchObject({ client_id: 'backend' });
});

test.each([
  ['another audience', { aud: 'https://other.example' }, {}],
  ['no end', { exp: undefined }, {}],
  ['no subject', { sub: undefined }, {}],
  ['the type of an ID-JAG', {}, { typ: 'oauth-id-jag+jwt' }],
])('rejects the assertion of a workload with %s', async (_name, claims, header) => {
  const signer = await platform();
  const assertion = await signer.sign({ ...workload, aud: server.issuer, ...claims }, header);
  const { body } = await requestToken(server, { grant_type: jwtBearer, assertion });
  expect(body.error).toBe('invalid_grant');
});
