import { decodeJwt, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  authorize,
  exchange,
  newSigner,
  publicClient,
  requestToken,
  type Signer,
  secretClient,
  verifier,
} from '../../test/oauth-exchange.js';
import type { TestAuthorizationServer } from '../oauth.js';
import { startTestAuthorizationServer } from '../oauth.js';

let server: TestAuthorizationServer;
let signer: Signer;
let now: number;

beforeEach(async () => {
  now = 1_700_000_000_000;
  signer = await newSigner();
  server = await startTestAuthorizationServer({ clients: [publicClient, secretClient], now: () => now });
});

afterEach(() => server.close());

const params = { grant_type: 'client_credentials', client_id: 'backend', client_secret: 'hush' };

function proof(changes: Readonly<Record<string, unknown>> = {}): Promise<string> {
  return signer.proof(server, { iat: now / 1_000, ...changes });
}

async function request(changes: Readonly<Record<string, unknown>> = {}) {
  return requestToken(server, params, { dpop: await proof(changes) });
}

test('binds a token to the key of the proof', async () => {
  const { body } = await request();
  expect(body.token_type).toBe('DPoP');
  expect(decodeJwt(String(body.access_token)).cnf).toEqual({ jkt: signer.thumbprint });
});

test.each([
  ['another method', { htm: 'GET' }, /htm/],
  ['another address', { htu: 'https://evil.example/token' }, /htu/],
  ['no address', { htu: undefined }, /"htu"/],
  ['no name', { jti: undefined }, /"jti"/],
  ['no time', { iat: undefined }, /"iat"/],
  ['an old time', { iat: 1_699_999_699 }, /iat is not now/],
  ['a time to come', { iat: 1_700_000_061 }, /iat is not now/],
])('rejects a proof with %s', async (_name, changes, reason) => {
  const { status, body } = await request(changes);
  expect(status).toBe(400);
  expect(body.error).toBe('invalid_dpop_proof');
  expect(body.error_description).toMatch(reason);
});

test('ignores the query of the URL', async () => {
  expect((await request({ htu: `${server.issuer}/token?x=1#y` })).status).toBe(200);
});

test('accepts a proof once', async () => {
  const once = await proof();
  expect((await requestToken(server, params, { dpop: once })).status).toBe(200);
  expect((await requestToken(server, params, { dpop: once })).body.error_description).toContain(
    'used before',
  );
});

test('rejects two proofs, a missing proof, and one that contains the private key', async () => {
  const two = { dpop: `${await proof()}, ${await proof()}` };
  expect((await requestToken(server, params, two)).body.error).toBe('invalid_dpop_proof');
  expect((await requestToken(server, params, { dpop: 'x' })).body.error).toBe('invalid_dpop_proof');
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const claims = { htm: 'POST', htu: `${server.issuer}/token`, jti: '1', iat: now / 1_000 };
  const header = { alg: 'ES256', typ: 'dpop+jwt', jwk: await exportJWK(privateKey) };
  const leaking = await new SignJWT(claims).setProtectedHeader(header).sign(privateKey);
  expect((await requestToken(server, params, { dpop: leaking })).body.error).toBe('invalid_dpop_proof');
  const untyped = { ...header, typ: 'JWT', jwk: { ...header.jwk, d: undefined } };
  const other = await new SignJWT(claims).setProtectedHeader(untyped as never).sign(privateKey);
  expect((await requestToken(server, params, { dpop: other })).body.error_description).toMatch(/"typ"/);
});

test('requires a nonce if configured, and another one after rotateNonce', async () => {
  server.behave({ dpopNonce: true });
  const asked = await request();
  expect(asked.status).toBe(400);
  expect(asked.body.error).toBe('use_dpop_nonce');
  const nonce = asked.headers.get('dpop-nonce');
  const answer = await request({ nonce });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('dpop-nonce')).toBe(nonce);
  server.rotateNonce();
  const again = await request({ nonce });
  expect(again.body.error).toBe('use_dpop_nonce');
  expect(again.headers.get('dpop-nonce')).not.toBe(nonce);
  expect((await request({ nonce: again.headers.get('dpop-nonce') })).status).toBe(200);
});

test('uses nothing up when the nonce is missing', async () => {
  server.behave({ dpopNonce: true });
  const code = (await authorize(server)).get('code');
  const form = {
    grant_type: 'authorization_code',
    client_id: 'desk',
    code: code ?? '',
    code_verifier: verifier,
  };
  const first = await requestToken(server, form, { dpop: await proof() });
  const nonce = first.headers.get('dpop-nonce');
  expect((await requestToken(server, form, { dpop: await proof({ nonce }) })).body.token_type).toBe('DPoP');
});

test('requires proofs from all clients or from one, or ignores them', async () => {
  server.behave({ dpop: 'required' });
  expect((await requestToken(server, params)).body.error).toBe('invalid_dpop_proof');
  server.behave({ dpop: 'allowed' });
  expect((await requestToken(server, params)).body.token_type).toBe('Bearer');
  server.addClient({ ...secretClient, dpopBound: true });
  expect((await requestToken(server, params)).body.error).toBe('invalid_dpop_proof');
  server.behave({ dpop: 'off' });
  expect((await request()).body.token_type).toBe('Bearer');
});

test('binds a code to the key named in the authorization request', async () => {
  const other = await newSigner();
  for (const [jkt, status] of [
    [other.thumbprint, 400],
    [signer.thumbprint, 200],
  ] as const) {
    const code = (await authorize(server, { dpop_jkt: jkt })).get('code');
    const form = {
      grant_type: 'authorization_code',
      client_id: 'desk',
      code: code ?? '',
      code_verifier: verifier,
    };
    expect((await requestToken(server, form, { dpop: await proof() })).status).toBe(status);
  }
  const code = (await authorize(server, { dpop_jkt: signer.thumbprint })).get('code');
  expect((await exchange(server, code)).body.error).toBe('invalid_grant');
});
