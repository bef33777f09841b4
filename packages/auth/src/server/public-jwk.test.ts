import { describe, expect, it } from 'vitest';
import { publicJwk } from './public-jwk.js';

const ec = { kty: 'EC', crv: 'P-256', x: 'x', y: 'y' };

describe('publicJwk', () => {
  it('keeps what checking a signature takes, and nothing else', () => {
    const named = { ...ec, kid: 'a', alg: 'ES256', use: 'sig', key_ops: ['verify'] };
    expect(publicJwk({ ...named, x5u: 'https://evil.example/', x5c: ['...'], ext: true })).toEqual(named);
  });

  it.each([
    ['a symmetric key', { kty: 'oct', k: 'c2VjcmV0' }],
    ['a private key', { ...ec, d: 'secret' }],
    ['a key with a symmetric part', { ...ec, k: 'c2VjcmV0' }],
    ['a kind that is not known', { ...ec, kty: 'AKP' }],
    ['the name of something every object has', { ...ec, kty: '__proto__' }],
    ['a missing part', { kty: 'EC', crv: 'P-256', x: 'x' }],
    ['a part that is no text', { ...ec, x: 1 }],
    ['a modulus beyond use', { kty: 'RSA', e: 'AQAB', n: 'A'.repeat(1_401) }],
    ['a name that is no text', { ...ec, kid: {} }],
    ['operations that are none', { ...ec, key_ops: 'verify' }],
    ['a list', [ec]],
    ['nothing', null],
  ])('takes no key from %s', (_what, value) => {
    expect(publicJwk(value)).toBeUndefined();
  });
});
