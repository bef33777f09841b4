import { describe, expect, it } from 'vitest';
import { createSigner } from '../../test/server/signer.js';
import { LocalKeySet } from './key-set.js';

const ec = await createSigner('a');
const rsa = await createSigner('b', 'RS256');

describe('LocalKeySet', () => {
  it('finds a key by its kid, only for its own algorithm', async () => {
    const keys = new LocalKeySet({ keys: [ec.jwk, rsa.jwk] });
    expect(await keys.find({ alg: 'ES256', kid: 'a' })).toHaveLength(1);
    for (const hint of [
      { alg: 'ES256', kid: 'b' },
      { alg: 'RS256', kid: 'a' },
      { alg: 'PS256', kid: 'b' },
      { alg: 'HS256', kid: 'b' },
      { alg: 'none', kid: 'a' },
      { alg: 'ES384', kid: 'a' },
      { alg: 'ES256', kid: '../../etc/passwd' },
      { alg: 'ES256', kid: '__proto__' },
      { alg: '__proto__', kid: 'a' },
    ]) {
      expect(await keys.find(hint), JSON.stringify(hint)).toEqual([]);
    }
  });

  it.each([
    ['is for encryption', { use: 'enc' }],
    ['may only sign', { key_ops: ['sign'] }],
    ['is for another algorithm', { alg: 'ES384' }],
    ['is of another curve', { crv: 'P-384' }],
  ])('ignores a key that %s', async (_what, changed) => {
    const keys = new LocalKeySet({ keys: [{ ...ec.jwk, ...changed }] });
    expect(await keys.find({ alg: 'ES256', kid: 'a' })).toEqual([]);
  });

  it('tries a few keys for a token without kid', async () => {
    const { kid: _, ...unnamed } = ec.jwk;
    const keys = new LocalKeySet({ keys: Array(9).fill(unnamed) });
    expect(await keys.find({ alg: 'ES256' })).toHaveLength(4);
  });

  it('ignores keys that are not public, and limits their number', async () => {
    const strange = [null, 'key', { kty: 'oct', k: 'c2VjcmV0', kid: 'a' }, { kty: 'AKP' }];
    expect(new LocalKeySet({ keys: [...strange, ec.jwk] }).size).toBe(1);
    expect(() => new LocalKeySet({ keys: Array(101).fill(ec.jwk) })).toThrow('101 keys, and 100 are allowed');
    for (const none of [null, [], {}, { keys: {} }, 'keys']) {
      expect(() => new LocalKeySet(none)).toThrow(TypeError);
    }
  });

  it('ignores a key with malformed members', async () => {
    const keys = new LocalKeySet({ keys: [{ ...ec.jwk, x: '!' }] });
    expect(await keys.find({ alg: 'ES256', kid: 'a' })).toEqual([]);
  });
});
