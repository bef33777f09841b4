import { afterEach, expect, it, vi } from 'vitest';
import { TokenCache, tokenHash } from './token-cache.js';

it('drops expired entries, and the oldest past the bound', () => {
  let now = 0;
  const cache = new TokenCache<string>({ now: () => now }, 2);
  cache.keep('a', 'one', 10);
  cache.keep('b', 'two', 20);
  expect(cache.get('a')).toBe('one');
  now = 10;
  expect([cache.get('a'), cache.get('b')]).toEqual([undefined, 'two']);
  cache.keep('c', 'three', 20);
  cache.keep('d', 'four', 20);
  expect([cache.get('b'), cache.get('c'), cache.get('d')]).toEqual([undefined, 'three', 'four']);
});

afterEach(() => {
  vi.unstubAllGlobals();
});

const token = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const hash = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

it('tokenHash returns no promise on Node', () => {
  expect(tokenHash(token)).toBe(hash);
});

it.each([undefined, {}, { getBuiltinModule: () => undefined }, { getBuiltinModule: () => ({}) }])(
  'tokenHash returns the same hash if the process is %j',
  async (process) => {
    vi.stubGlobal('process', process);
    const hashed = tokenHash(token);
    vi.unstubAllGlobals();
    expect(hashed).toBeInstanceOf(Promise);
    expect(await hashed).toBe(hash);
  },
);
