import { describe, expect, it } from 'vitest';
import { fakeTokens } from '../../test/client/fake-authorization.js';
import type { TokenSet } from '../oauth/token-set.js';
import { HeldTokens } from './held-tokens.js';

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
    ['has no expiry', undefined, Number.POSITIVE_INFINITY],
    ['expires after the skew', 1_600_000, 1_570_000],
    ['expires within the skew', 1_020_000, 1_010_000],
    ['has expired', 999_000, 999_000],
  ])('renews a token in time that %s', (_, expiresAt, renewAt) => {
    expect(held({ expiresAt }).renewAt).toBe(renewAt);
  });

  it('postpones the renewal, and resumes the plan', () => {
    const token = held({ expiresAt: 1_600_000 });
    token.postpone(1_005_000);
    expect(token.renewAt).toBe(1_005_000);
    expect(token.resume(1_005_000)).toBe(true);
    expect(token.renewAt).toBe(1_570_000);
    expect(token.resume(1_570_000)).toBe(false);
  });

  it('returns the same headers for a bearer token, without a promise', () => {
    const bearer = held({ accessToken: 'abc' });
    expect(bearer.headersFor(request)).toEqual({ authorization: 'Bearer abc' });
    expect(bearer.headersFor(request)).toBe(bearer.headersFor(request));
  });

  it('creates a proof for each request with a bound token', async () => {
    let count = 0;
    const bound = held(
      { accessToken: 'abc', tokenType: 'DPoP' },
      (target) => `${++count} ${JSON.stringify(target)}`,
    );
    const signed = JSON.stringify({ ...request, accessToken: 'abc' });
    expect(await bound.headersFor(request)).toEqual({ authorization: 'DPoP abc', dpop: `1 ${signed}` });
    expect(await bound.headersFor(request)).toEqual({ authorization: 'DPoP abc', dpop: `2 ${signed}` });
  });

  it('returns the granted scopes, or else the requested ones', () => {
    expect(held({ scopes: ['a'], requested: ['a', 'b'] }).scopes).toEqual(['a']);
    expect(held({ requested: ['a', 'b'] }).scopes).toEqual(['a', 'b']);
    expect(held({}).scopes).toEqual([]);
  });
});
