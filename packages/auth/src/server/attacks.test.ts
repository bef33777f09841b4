import type { GuardedRequest, HttpRefusal, Principal } from '@tenon/mcp-protocol';
import { calculateJwkThumbprint, exportSPKI, importJWK } from 'jose';
import { beforeEach, describe, expect, it } from 'vitest';
import { createSigner, forged, signWith } from '../../test/signer.js';
import { type TestRealm, testIssuer, testRealm, testResource } from '../../test/token-realm.js';
import { digestOf } from '../client/digest.js';
import { dpopCheck } from './dpop/proof-check.js';
import { ResourceGuard } from './resource-guard.js';
import { jwtVerifier } from './verifiers/jwt-verifier.js';

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

/** What became of a request: who was let in, or the status and error with which he was turned away. */
async function outcome(
  headers: Readonly<Record<string, string>>,
  changed?: Partial<GuardedRequest>,
): Promise<string> {
  const answer = (await guard.admit(request(headers, changed))) as Principal | HttpRefusal;
  if (!('status' in answer)) return `let in: ${answer.id}`;
  const error = /error="(\w+)"/.exec(answer.headers?.['www-authenticate'] ?? '')?.[1];
  return `${answer.status} ${error}`;
}

const bearer = async (token: string | Promise<string>) => outcome({ authorization: `Bearer ${await token}` });

describe('attacks with a token', () => {
  const attacks: readonly [string, () => string | Promise<string>][] = [
    ['for another audience', () => signer.sign(realm.claims({ aud: 'https://other.example' }))],
    [
      'for an audience that ours is part of',
      () => signer.sign(realm.claims({ aud: `${testResource}.evil.example` })),
    ],
    ['for no audience', () => signer.sign(realm.claims({ aud: undefined }))],
    ['of an issuer with a slash', () => signer.sign(realm.claims({ iss: `${testIssuer}/` }))],
    ['that has expired', () => signer.sign(realm.claims({ exp: realm.seconds - 31 }))],
    ['that is not valid yet', () => signer.sign(realm.claims({ nbf: realm.seconds + 31 }))],
    ['that is unsigned', () => forged({ alg: 'none', typ: 'at+jwt' }, realm.claims())],
    ['signed with the wrong key of the right name', () => stranger.sign(realm.claims())],
    ['that brings its key', () => stranger.sign(realm.claims(), { jwk: stranger.jwk, kid: undefined })],
    [
      'whose secret is a public key',
      () =>
        signWith(new TextEncoder().encode(pem), realm.claims(), { alg: 'HS256', kid: 'rsa', typ: 'at+jwt' }),
    ],
    ['that is an ID token', () => signer.sign(realm.claims({ nonce: 'n', at_hash: 'h' }), { typ: 'JWT' })],
    ['that is bound to a key', () => signer.sign(realm.claims({ cnf: { jkt } }))],
  ];

  it.each(attacks)('%s: 401', async (_what, token) => {
    expect(await bearer(token())).toBe('401 invalid_token');
  });

  it('that is good: let in', async () => {
    expect(await bearer(signer.sign(realm.claims()))).toBe('let in: alice');
  });

  it('that nobody can check: 503, and nothing is said of the token', async () => {
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

describe('attacks with a token that is bound to a key', () => {
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

  it('that is proven: let in', async () => {
    const token = await bound();
    expect(await outcome({ authorization: `DPoP ${token}`, dpop: await proof(token) })).toBe('let in: alice');
  });

  const attacks: readonly [string, () => Proven][] = [
    ['for another method', () => ({ claims: { htm: 'GET' } })],
    ['for another address', () => ({ claims: { htu: 'https://evil.example/mcp' } })],
    ['for another token', () => ({ claims: { ath: 'A'.repeat(43) } })],
    ['by another key', () => ({ by: stranger, header: { jwk: { ...stranger.jwk, kid: undefined } } })],
    ['by another key under the name of ours', () => ({ by: stranger })],
    ['that is stale', () => ({ claims: { iat: realm.seconds - 61 } })],
    ['from the future', () => ({ claims: { iat: realm.seconds + 31 } })],
    ['with a symmetric key', () => ({ header: { jwk: { kty: 'oct', k: 'c2VjcmV0' } } })],
    ['with a private key', () => ({ header: { jwk: { ...jwk, d: 'AAAA' } } })],
    ['of another type', () => ({ header: { typ: 'at+jwt' } })],
  ];

  it.each(attacks)('and a proof %s: 401', async (_what, made) => {
    const token = await bound();
    const headers = { authorization: `DPoP ${token}`, dpop: await proof(token, made()) };
    expect(await outcome(headers)).toBe('401 invalid_dpop_proof');
  });

  it('and a proof that was used: 401', async () => {
    const token = await bound();
    const headers = { authorization: `DPoP ${token}`, dpop: await proof(token) };
    expect(await outcome(headers)).toBe('let in: alice');
    expect(await outcome(headers)).toBe('401 invalid_dpop_proof');
  });

  it('and no proof: 401; whatever host the request names', async () => {
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

it('a function is taken for a verifier as it is', async () => {
  guard = new ResourceGuard({
    resource: testResource,
    authorizationServers: [testIssuer],
    verify: (token) => (token === 'opaque' ? { id: 'alice' } : undefined),
    clock: realm.clock,
  });
  expect(await bearer('opaque')).toBe('let in: alice');
  expect(await bearer('other')).toBe('401 invalid_token');
});
