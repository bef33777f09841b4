import { afterEach, expect, it, vi } from 'vitest';
import { tokenHash } from './token-hash.js';

afterEach(() => {
  vi.unstubAllGlobals();
});

const token = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const hash = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

it('is there at once on Node', () => {
  expect(tokenHash(token)).toBe(hash);
});

it.each([undefined, {}, { getBuiltinModule: () => undefined }, { getBuiltinModule: () => ({}) }])(
  'is the same where the process is %j',
  async (process) => {
    vi.stubGlobal('process', process);
    const told = tokenHash(token);
    vi.unstubAllGlobals();
    expect(told).toBeInstanceOf(Promise);
    expect(await told).toBe(hash);
  },
);
