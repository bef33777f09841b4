import { describe, expect, it } from 'vitest';
import { ScriptedHttp } from '../../test/http/scripted-http.js';
import { createSigner } from '../../test/server/signer.js';
import { testIssuer, testRealm, testResource } from '../../test/server/token-realm.js';
import { jwtVerifier } from '../verifiers/jwt-verifier.js';
import { ResourceGuard } from './resource-guard.js';

const signer = await createSigner();
const rsa = await createSigner('rsa', 'RS256');
const realm = testRealm();
const address = 'https://auth.example/jwks';
const part = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
const header = { alg: 'ES256', kid: 'key', typ: 'at+jwt' };
const claims = realm.claims();
const good = await signer.sign(claims);
const signature = good.split('.')[2] as string;
const made = (head: unknown, body: unknown, end = signature) => `${part(head)}.${part(body)}.${end}`;

/** Tokens that are invalid whatever keys the issuer has. */
const never: readonly (readonly [string, string])[] = [
  ['a word', 'abc'],
  ['two parts', `${part(header)}.${part(claims)}`],
  ['four parts', `${good}.x`],
  ['an encrypted token', 'a.b.c.d.e'],
  ['a header that is not JSON', made('{', claims)],
  ['a header that is an array', made([], claims)],
  ['claims that are not JSON', made(header, '{"a":')],
  ['claims that are a string', made(header, '"x"')],
  ['no algorithm', made({ ...header, alg: undefined }, claims)],
  ['the algorithm none', made({ ...header, alg: 'none' }, claims, '')],
  ['an unknown algorithm', made({ ...header, alg: 'ES999' }, claims)],
  ['an HMAC', made({ ...header, alg: 'HS256' }, claims)],
  ['an algorithm that is not a string', made({ ...header, alg: ['ES256'] }, claims)],
  ['a critical header', made({ ...header, crit: ['exp'] }, claims)],
  ['a kid that is not a string', made({ ...header, kid: 7 }, claims)],
  ['the type of another token', made({ ...header, typ: 'dpop+jwt' }, claims)],
  ['a type that is not a string', made({ ...header, typ: {} }, claims)],
  ['another issuer', made(header, { ...claims, iss: 'https://evil.example' })],
  ['no issuer', made(header, { ...claims, iss: undefined })],
  ['another server', made(header, { ...claims, aud: 'https://other.example' })],
  ['an expiry in the past', made(header, { ...claims, exp: 1 })],
  ['an expiry beyond all numbers', made(header, `${JSON.stringify(claims).slice(0, -1)},"exp":1e306}`)],
  ['an expiry that is a string', made(header, { ...claims, exp: 'tomorrow' })],
  ['no caller', made(header, { ...claims, sub: '', client_id: undefined })],
  ['a caller that is too long', made(header, { ...claims, sub: 'x'.repeat(1_025) })],
  ['a binding to a certificate', made(header, { ...claims, cnf: { 'x5t#S256': 'x' } })],
  ['no signature', made(header, claims, '')],
  ['a signature of one character', made(header, claims, 'x')],
  ['a signature that is too short', made(header, claims, signature.slice(4))],
  ['a signature that is too long', made(header, claims, `${signature}AAAA`)],
  ['a short RSA signature', made({ ...header, alg: 'RS256' }, claims)],
];

async function statusOf(token: string, keys: ScriptedHttp) {
  const guard = new ResourceGuard({
    resource: testResource,
    authorizationServers: [testIssuer],
    verify: jwtVerifier({ issuers: [{ issuer: testIssuer, jwksUri: address }], http: keys }),
    clock: realm.clock,
  });
  const headers = new Map([['authorization', `Bearer ${token}`]]);
  const answer = await guard.admit({ method: 'POST', url: '/mcp', header: (name) => headers.get(name) });
  if (!('status' in answer)) return 'accepted';
  const { 'retry-after': wait, 'www-authenticate': challenge = '' } = answer.headers ?? {};
  return [answer.status, wait, /error="(\w+)"/.exec(challenge)?.[1]];
}

const down = () => new ScriptedHttp().on(address, () => Promise.reject(new Error('The network is down.')));
const up = () => new ScriptedHttp().on(address, { body: { keys: [signer.jwk, rsa.jwk] } });

describe('ResourceGuard with a token that can never be valid', () => {
  it.each(never)('answers 401 without a request to the unavailable key server: %s', async (_, token) => {
    const keys = down();
    expect(await statusOf(token, keys)).toEqual([401, undefined, 'invalid_token']);
    expect(keys.requests).toEqual([]);
  });

  it.each(never)('answers 401 with an available key server: %s', async (_, token) => {
    expect(await statusOf(token, up())).toEqual([401, undefined, 'invalid_token']);
  });

  it('answers 401 if the keys that were just fetched do not contain its key', async () => {
    const keys = up();
    const stranger = await createSigner('stranger');
    expect(await statusOf(await stranger.sign(claims), keys)).toEqual([401, undefined, 'invalid_token']);
    expect(keys.requests).toHaveLength(1);
  });
});

describe('ResourceGuard with a token that may be valid', () => {
  it('answers 503 while the key server is unavailable, and accepts the token afterwards', async () => {
    for (const token of [good, await rsa.sign(claims)]) {
      expect(await statusOf(token, down())).toEqual([503, '5', undefined]);
      expect(await statusOf(token, up())).toBe('accepted');
    }
  });
});
