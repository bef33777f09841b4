import { describe, expect, it } from 'vitest';
import { publicJwk } from './public-jwk.js';

const ec = { kty: 'EC', crv: 'P-256', x: 'x', y: 'y' };

describe('publicJwk', () => {
  it('keeps only the members that verify a signature', () => {
    const named = { ...ec, kid: 'a', alg: 'ES256', use: 'sig', key_ops: ['verify'] };
    expect(publicJwk({ ...named, x5u: 'https://evil.example/', x5c: ['...'], ext: true })).toEqual(named);
  });

  it.each([
    ['a symmetric key', { kty: 'oct', k: 'c2VjcmV0' }],
    ['a private key', { ...ec, d: 'secret' }],
    ['a key with a symmetric part', { ...ec, k: 'c2VjcmV0' }],
    ['an unknown key type', { ...ec, kty: 'AKP' }],
    ['a key type that is a member of every object', { ...ec, kty: '__proto__' }],
    ['a missing part', { kty: 'EC', crv: 'P-256', x: 'x' }],
    ['a part that is not a string', { ...ec, x: 1 }],
    ['a modulus that is too long', { kty: 'RSA', e: 'AQAB', n: 'A'.repeat(1_401) }],
    ['a key id that is not a string', { ...ec, kid: {} }],
    ['operations that are not a list', { ...ec, key_ops: 'verify' }],
    ['a list', [ec]],
    ['null', null],
  ])('returns undefined for %s', (_what, value) => {
    expect(publicJwk(value)).toBeUndefined();
  });
});
