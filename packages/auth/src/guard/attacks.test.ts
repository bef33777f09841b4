import type { GuardedRequest, HttpRefusal, Principal } from '@tenon/mcp-protocol';
import { calculateJwkThumbprint, exportSPKI, importJWK } from 'jose';
import { beforeEach, describe, expect, it } from 'vitest';
import { createSigner, forged, signWith } from '../../test/server/signer.js';
import { type TestRealm, testIssuer, testRealm, testResource } from '../../test/server/token-realm.js';
import { digestOf } from '../oauth/secrets.js';
import { jwtVerifier } from '../verifiers/jwt-verifier.js';
import { dpopCheck } from '../verifiers/proof-check.js';
import { ResourceGuard } from './resource-guard.js';

const signer = await createSigner();
const stranger = await createSigner();
const rsa = await createSigner('rsa', 'RS256');
const holder = await createSigner('holder');
const { kty, crv, x, y } = holder.jwk;
const jwk = { kty, crv, x, y };
const jkt = await calculateJwkThumbprint(holder.jwk);
const pem = await exportSPKI((await importJWK(rsa.jwk, 'RS256', { extractable: true })) as never);

let realm: TestRealm;
let guard: ResourceGuard;
let count = 0;

beforeEach(() => {
  realm = testRealm();
  guard = new ResourceGuard({
    resource: testResource,
    authorizationServers: [testIssuer],
    verify: jwtVerifier({ issuers: [{ issuer: testIssuer, jwks: { keys: [signer.jwk, rsa.jwk] } }] }),
    dpop: dpopCheck(),
    clock: realm.clock,
  });
});

function request(
  headers: Readonly<Record<string, string>>,
  changed: Partial<GuardedRequest> = {},
): GuardedRequest {
  return { method: 'POST', url: '/mcp', header: (name) => headers[name], ...changed };
}

/** Returns the id of the accepted caller, or the status and error of the rejection. */
async function outcome(
  headers: Readonly<Record<string, string>>,
  changed?: Partial<GuardedRequest>,
): Promise<string> {
  const answer = (await guard.admit(request(headers, changed))) as Principal | HttpRefusal;
  if (!('status' in answer)) return `accepted: ${answer.id}`;
  const error = /error="(\w+)"/.exec(answer.headers?.['www-authenticate'] ?? '')?.[1];
  return `${answer.status} ${error}`;
}

const bearer = async (token: string | Promise<string>) => outcome({ authorization: `Bearer ${await token}` });

describe('ResourceGuard with jwtVerifier', () => {
  const attacks: readonly [string, () => string | Promise<string>][] = [
    ['for another audience', () => signer.sign(realm.claims({ aud: 'https://other.example' }))],
    [
      'for an audience that contains the resource',
      () => signer.sign(realm.claims({ aud: `${testResource}.evil.example` })),
    ],
    ['without an audience', () => signer.sign(realm.claims({ aud: undefined }))],
    ['of an issuer with a trailing slash', () => signer.sign(realm.claims({ iss: `${testIssuer}/` }))],
    ['that has expired', () => signer.sign(realm.claims({ exp: realm.seconds - 31 }))],
    ['that is not valid yet', () => signer.sign(realm.claims({ nbf: realm.seconds + 31 }))],
    ['that is unsigned', () => forged({ alg: 'none', typ: 'at+jwt' }, realm.claims())],
    ['signed with another key under the same kid', () => stranger.sign(realm.claims())],
    [
      'with its own key in the header',
      () => stranger.sign(realm.claims(), { jwk: stranger.jwk, kid: undefined }),
    ],
    [
      'with an HMAC by the public key',
      () =>
        signWith(new TextEncoder().encode(pem), realm.claims(), { alg: 'HS256', kid: 'rsa', typ: 'at+jwt' }),
    ],
    ['that is an ID token', () => signer.sign(realm.claims({ nonce: 'n', at_hash: 'h' }), { typ: 'JWT' })],
    ['that is bound to a key', () => signer.sign(realm.claims({ cnf: { jkt } }))],
  ];

  it.each(attacks)('rejects a token %s', async (_what, token) => {
    expect(await bearer(token())).toBe('401 invalid_token');
  });

  it('accepts a valid token', async () => {
    expect(await bearer(signer.sign(realm.claims()))).toBe('accepted: alice');
  });

  it('answers 503 without an error code if the keys cannot be fetched', async () => {
    const away = { send: () => Promise.reject(new Error('The network is down.')) };
    guard = new ResourceGuard({
      resource: testResource,
      authorizationServers: [testIssuer],
      verify: jwtVerifier({ http: away }),
      clock: realm.clock,
    });
    expect(await bearer(signer.sign(realm.claims()))).toBe('503 undefined');
  });
});

describe('ResourceGuard with dpopCheck', () => {
  interface Proven {
    readonly claims?: Readonly<Record<string, unknown>>;
    readonly header?: Readonly<Record<string, unknown>>;
    readonly by?: typeof holder;
  }

  async function bound(): Promise<string> {
    return signer.sign(realm.claims({ cnf: { jkt } }));
  }

  async function proof(
    token: string,
    { claims = {}, header = {}, by = holder }: Proven = {},
  ): Promise<string> {
    count += 1;
    const own = { jti: `proof-${count}`, htm: 'POST', htu: testResource, iat: realm.seconds };
    const all = { ...own, ath: await digestOf(token), ...claims };
    return by.sign(all, { typ: 'dpop+jwt', kid: undefined, jwk, ...header });
  }

  it('accepts a bound token with a valid proof', async () => {
    const token = await bound();
    expect(await outcome({ authorization: `DPoP ${token}`, dpop: await proof(token) })).toBe(
      'accepted: alice',
    );
  });

  const attacks: readonly [string, () => Proven][] = [
    ['for another method', () => ({ claims: { htm: 'GET' } })],
    ['for another address', () => ({ claims: { htu: 'https://evil.example/mcp' } })],
    ['for another token', () => ({ claims: { ath: 'A'.repeat(43) } })],
    ['by another key', () => ({ by: stranger, header: { jwk: { ...stranger.jwk, kid: undefined } } })],
    ['signed with another key than its jwk', () => ({ by: stranger })],
    ['that is too old', () => ({ claims: { iat: realm.seconds - 61 } })],
    ['with a time in the future', () => ({ claims: { iat: realm.seconds + 31 } })],
    ['with a symmetric key', () => ({ header: { jwk: { kty: 'oct', k: 'c2VjcmV0' } } })],
    ['with a private key', () => ({ header: { jwk: { ...jwk, d: 'AAAA' } } })],
    ['of another type', () => ({ header: { typ: 'at+jwt' } })],
  ];

  it.each(attacks)('rejects a bound token with a proof %s', async (_what, made) => {
    const token = await bound();
    const headers = { authorization: `DPoP ${token}`, dpop: await proof(token, made()) };
    expect(await outcome(headers)).toBe('401 invalid_dpop_proof');
  });

  it('rejects a proof that was used before', async () => {
    const token = await bound();
    const headers = { authorization: `DPoP ${token}`, dpop: await proof(token) };
    expect(await outcome(headers)).toBe('accepted: alice');
    expect(await outcome(headers)).toBe('401 invalid_dpop_proof');
  });

  it('rejects a bound token without a proof, whatever host the request names', async () => {
    const token = await bound();
    expect(await outcome({ authorization: `DPoP ${token}` })).toBe('401 invalid_dpop_proof');
    const dpop = await proof(token, { claims: { htu: 'https://evil.example/mcp' } });
    const headers = {
      authorization: `DPoP ${token}`,
      dpop,
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
    };
    expect(await outcome(headers)).toBe('401 invalid_dpop_proof');
  });
});

it('accepts a function as verifier', async () => {
  guard = new ResourceGuard({
    resource: testResource,
    authorizationServers: [testIssuer],
    verify: (token) => (token === 'opaque' ? { id: 'alice' } : undefined),
    clock: realm.clock,
  });
  expect(await bearer('opaque')).toBe('accepted: alice');
  expect(await bearer('other')).toBe('401 invalid_token');
});
