import { type CryptoKey, exportJWK, exportPKCS8, generateKeyPair, type JWK, jwtVerify } from 'jose';
import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../../testing/src/fake-clock.js';
import { failureOf, someDay } from '../../test/client/grant-tools.js';
import { clientAssertion, requireClientKey } from './client-assertion.js';
import type { ClientKey } from './client-information.js';

const pairs = {
  ES256: await generateKeyPair('ES256', { extractable: true }),
  ES384: await generateKeyPair('ES384', { extractable: true }),
  EdDSA: await generateKeyPair('EdDSA', { extractable: true }),
  RS256: await generateKeyPair('RS256', { extractable: true }),
};
const ecJwk = await exportJWK(pairs.ES256.privateKey);
const rsaJwk = await exportJWK(pairs.RS256.privateKey);
const { d: _private, ...publicJwk } = ecJwk as Record<string, string>;
const ecPem = await exportPKCS8(pairs.ES256.privateKey);

function assertion(key: ClientKey, algs?: readonly string[]) {
  const clock = new FakeClock();
  clock.stall(someDay + 999);
  const endpoint = new URL('https://auth.example/oauth/token');
  return clientAssertion({
    issuer: 'https://auth.example/tenant',
    endpoint,
    algs,
    client: { clientId: 'my-service', key },
    clock,
  });
}

function verify(text: string, key: CryptoKey | JWK) {
  return jwtVerify(text, key, { currentDate: new Date(someDay) });
}

describe('clientAssertion', () => {
  it('identifies the client to one issuer for one minute (RFC 7523, section 3)', async () => {
    const { payload, protectedHeader } = await verify(
      await assertion({ key: ecJwk, kid: 'k-1' }),
      pairs.ES256.publicKey,
    );
    expect(protectedHeader).toEqual({ alg: 'ES256', typ: 'client-authentication+jwt', kid: 'k-1' });
    expect(payload).toEqual({
      iss: 'my-service',
      sub: 'my-service',
      aud: 'https://auth.example/tenant',
      iat: someDay / 1_000,
      exp: someDay / 1_000 + 60,
      jti: expect.stringMatching(/^[\w-]{22}$/),
    });
  });

  it('makes a different assertion each time', async () => {
    const both = await Promise.all([assertion({ key: ecJwk }), assertion({ key: ecJwk })]);
    const ids = await Promise.all(
      both.map(async (text) => (await verify(text, pairs.ES256.publicKey)).payload.jti),
    );
    expect(new Set(ids).size).toBe(2);
  });

  it('uses the audience and type of older rules if they are configured', async () => {
    const { payload, protectedHeader } = await verify(
      await assertion({ key: ecJwk, audience: 'token-endpoint', typ: 'JWT' }),
      pairs.ES256.publicKey,
    );
    expect(payload.aud).toBe('https://auth.example/oauth/token');
    expect(protectedHeader).toEqual({ alg: 'ES256', typ: 'JWT' });
  });

  it.each<[string, ClientKey, readonly string[] | undefined, string, keyof typeof pairs]>([
    ['a PEM', { key: ecPem, alg: 'ES256' }, undefined, 'ES256', 'ES256'],
    ['a JWK by its curve', { key: ecJwk }, ['RS256', 'ES256'], 'ES256', 'ES256'],
    [
      'a JWK with its algorithm',
      { key: { ...rsaJwk, alg: 'PS384', kid: 'of-the-jwk' } },
      ['RS256', 'PS384'],
      'PS384',
      'RS256',
    ],
    ['an RSA key by what the server takes', { key: rsaJwk }, ['ES256', 'PS256'], 'PS256', 'RS256'],
    ['an RSA key where the server does not say', { key: rsaJwk }, undefined, 'RS256', 'RS256'],
    ['a CryptoKey of P-384', { key: pairs.ES384.privateKey }, undefined, 'ES384', 'ES384'],
    ['a CryptoKey of RSA', { key: pairs.RS256.privateKey }, ['PS256', 'RS256'], 'RS256', 'RS256'],
    ['a CryptoKey of Ed25519', { key: pairs.EdDSA.privateKey }, undefined, 'EdDSA', 'EdDSA'],
    ['the newer name of EdDSA', { key: pairs.EdDSA.privateKey }, ['Ed25519'], 'Ed25519', 'EdDSA'],
  ])('signs with %s', async (...[, key, algs, alg, pair]) => {
    const publicKey = await exportJWK(pairs[pair].publicKey);
    const { protectedHeader } = await verify(await assertion(key, algs), { ...publicKey, alg });
    expect(protectedHeader.alg).toBe(alg);
  });

  it('uses the kid of a JWK', async () => {
    const { protectedHeader } = await verify(
      await assertion({ key: { ...ecJwk, kid: 'of-the-jwk' } }),
      pairs.ES256.publicKey,
    );
    expect(protectedHeader.kid).toBe('of-the-jwk');
  });

  it.each<[string, ClientKey, readonly string[]]>([
    ['only another algorithm', { key: ecJwk, alg: 'ES256' }, ['RS256']],
    ['none', { key: ecJwk }, ['none']],
    ['a shared secret', { key: ecJwk }, ['HS256']],
    ['no algorithm', { key: ecJwk }, []],
  ])('rejects if the server accepts %s', async (_what, key, algs) => {
    expect(await failureOf(assertion(key, algs))).toMatchObject({ name: 'AuthError', reason: 'unsupported' });
  });

  it('rejects a key that does not fit its algorithm', async () => {
    expect(await failureOf(assertion({ key: ecPem, alg: 'RS256' }))).toMatchObject({ reason: 'unsupported' });
    expect(await failureOf(assertion({ key: pairs.ES256.publicKey }))).toMatchObject({
      reason: 'unsupported',
    });
    const fixed = await generateKeyPair('ES256', { extractable: false });
    await verify(await assertion({ key: fixed.privateKey }), fixed.publicKey);
  });
});

describe('requireClientKey', () => {
  it.each<[string, ClientKey, RegExp]>([
    ['a PEM without its algorithm', { key: ecPem }, /needs its alg/],
    ['none', { key: ecPem, alg: 'none' }, /cannot sign with none/],
    ['a shared secret', { key: { kty: 'oct', k: 'c2VjcmV0' }, alg: 'HS256' }, /cannot sign with HS256/],
    ['a public JWK', { key: publicJwk as JWK }, /cannot sign/],
    ['a public CryptoKey', { key: pairs.ES256.publicKey }, /cannot sign/],
    ['the wrong curve', { key: ecJwk, alg: 'ES384' }, /cannot sign with ES384/],
    ['no key', {} as ClientKey, /must be \{ key, alg \}/],
    ['a string instead of an object', ecPem as unknown as ClientKey, /must be \{ key, alg \}/],
  ])('rejects %s, without quoting it', (_what, key, message) => {
    expect(() => requireClientKey('clientCredentials()', key)).toThrow(TypeError);
    expect(() => requireClientKey('clientCredentials()', key)).toThrow(message);
    try {
      requireClientKey('clientCredentials()', key);
    } catch (error) {
      expect((error as Error).message).not.toContain(ecJwk.d);
      expect((error as Error).message).not.toContain('BEGIN');
    }
  });

  it('accepts keys that can sign', () => {
    for (const key of [{ key: ecJwk }, { key: ecPem, alg: 'ES256' }, { key: pairs.RS256.privateKey }]) {
      expect(() => requireClientKey('clientCredentials()', key)).not.toThrow();
    }
  });
});
