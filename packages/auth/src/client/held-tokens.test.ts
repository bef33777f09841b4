import { describe, expect, it } from 'vitest';
import { fakeTokens } from '../../test/fake-authorization.js';
import { HeldTokens } from './held-tokens.js';
import type { TokenSet } from './token-set.js';

const owner = { issuer: 'i', clientId: 'c', resource: 'r', assumed: false };

function held(given: Partial<TokenSet>, proof?: (target: unknown) => string): HeldTokens {
  const signer =
    proof === undefined
      ? undefined
      : { key: {}, nonce() {}, proof: async (target: unknown) => proof(target) };
  return new HeldTokens({
    tokens: fakeTokens(given),
    owner,
    signer,
    origin: 'stored',
    now: 1_000_000,
    skew: 30_000,
  });
}
const request = { method: 'POST', url: 'https://mcp.example/mcp' };

describe('HeldTokens', () => {
  it.each([
    ['never says when it expires', undefined, Number.POSITIVE_INFINITY],
    ['lives long', 1_600_000, 1_570_000],
    ['lives shorter than the skew', 1_020_000, 1_010_000],
    ['has expired', 999_000, 999_000],
  ])('a token that %s is replaced in time', (_, expiresAt, renewAt) => {
    expect(held({ expiresAt }).renewAt).toBe(renewAt);
  });

  it('is looked for again soon when that was postponed, and as planned when all is well again', () => {
    const token = held({ expiresAt: 1_600_000 });
    token.postpone(1_005_000);
    expect(token.renewAt).toBe(1_005_000);
    expect(token.resume(1_005_000)).toBe(true);
    expect(token.renewAt).toBe(1_570_000);
    expect(token.resume(1_570_000)).toBe(false);
  });

  it('has the headers of a bearer token at once, the same each time', () => {
    const bearer = held({ accessToken: 'abc' });
    expect(bearer.headersFor(request)).toEqual({ authorization: 'Bearer abc' });
    expect(bearer.headersFor(request)).toBe(bearer.headersFor(request));
  });

  it('proves the key of a bound token for each request', async () => {
    let count = 0;
    const bound = held(
      { accessToken: 'abc', tokenType: 'DPoP' },
      (target) => `${++count} ${JSON.stringify(target)}`,
    );
    const told = JSON.stringify({ ...request, accessToken: 'abc' });
    expect(await bound.headersFor(request)).toEqual({ authorization: 'DPoP abc', dpop: `1 ${told}` });
    expect(await bound.headersFor(request)).toEqual({ authorization: 'DPoP abc', dpop: `2 ${told}` });
  });

  it('knows its scopes: those granted, else those asked for', () => {
    expect(held({ scopes: ['a'], requested: ['a', 'b'] }).scopes).toEqual(['a']);
    expect(held({ requested: ['a', 'b'] }).scopes).toEqual(['a', 'b']);
    expect(held({}).scopes).toEqual([]);
  });
});
