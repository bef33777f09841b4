import type { HttpRefusal, Principal } from '@tenon/mcp-protocol';
import { describe, expect, it } from 'vitest';
import { requestWith } from '../../test/server/guarded-request.js';
import type { NextNonce, PresentedProof, ProofProblem } from '../verifiers/verify.js';
import { ResourceGuard } from './resource-guard.js';
import type { ResourceGuardOptions } from './resource-guard-options.js';

const metadata = 'resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource/mcp"';

/** A server that accepts bound tokens, with the only valid proof `good`. */
function bound(options: Partial<ResourceGuardOptions> = {}, problem?: ProofProblem | NextNonce | Error) {
  const checked: PresentedProof[] = [];
  const guard = new ResourceGuard({
    resource: 'https://mcp.example.com/mcp',
    authorizationServers: ['https://auth.example.com'],
    verify: (token) => ({ id: 'ada', ...(token === 'bound' && { boundKey: 'thumb' }) }),
    dpop: {
      algs: ['ES256', 'EdDSA'],
      check(proof) {
        checked.push(proof);
        if (problem instanceof Error) throw problem;
        return problem;
      },
    },
    ...options,
  });
  const come = async (authorization: string, dpop?: string, url = '/mcp?x=1') =>
    (await guard.admit(requestWith({ authorization, dpop }, url))) as Principal & HttpRefusal;
  return { guard, come, checked };
}

const challengeOf = (refusal: HttpRefusal) => refusal.headers?.['www-authenticate'];

describe('ResourceGuard with dpop', () => {
  it('lists both schemes in its challenge', async () => {
    expect(challengeOf(bound().guard.admit(requestWith()) as HttpRefusal)).toBe(
      `Bearer ${metadata}, DPoP ${metadata}, algs="ES256 EdDSA"`,
    );
  });

  it('checks the proof for the token, key, method and URL of the request', async () => {
    const { come, checked } = bound();
    expect(await come('DPoP bound', 'good')).toMatchObject({ id: 'ada' });
    expect(checked).toEqual([
      {
        proof: 'good',
        method: 'POST',
        url: 'https://mcp.example.com/mcp',
        token: 'bound',
        boundKey: 'thumb',
      },
    ]);
  });

  it.each([
    ['/tools/mcp', 'https://mcp.example.com/tools/mcp'],
    ['/mcp', 'https://mcp.example.com/tools/mcp'],
    ['/mcp?x=1', 'https://mcp.example.com/tools/mcp'],
    ['/mcp/', 'https://mcp.example.com/mcp/'],
    ['/messages', 'https://mcp.example.com/messages'],
    ['/ools/mcp', 'https://mcp.example.com/ools/mcp'],
  ])('checks a proof for %s as one for the URL of the client, also behind a proxy', async (path, url) => {
    const { come, checked } = bound({ resource: 'https://mcp.example.com/tools/mcp' });
    await come('DPoP bound', 'good', path);
    expect(checked).toMatchObject([{ url }]);
  });

  it('accepts unbound tokens as well', async () => {
    expect(await bound().come('Bearer plain')).toMatchObject({ id: 'ada' });
  });

  it.each([
    ['a bound token as Bearer', 'Bearer bound', 'good', 'Bearer', 'invalid_token'],
    ['a bound token as Bearer without a proof', 'Bearer bound', undefined, 'Bearer', 'invalid_token'],
    ['an unbound token as DPoP', 'DPoP plain', 'good', 'DPoP', 'invalid_token'],
    ['a bound token without a proof', 'DPoP bound', undefined, 'DPoP', 'invalid_dpop_proof'],
  ])('rejects %s', async (...[, authorization, proof, scheme, error]) => {
    const { come, checked } = bound();
    const refusal = await come(authorization, proof);
    expect(refusal.status).toBe(401);
    expect(challengeOf(refusal)).toMatch(new RegExp(`^${scheme} error="${error}"`));
    expect(challengeOf(refusal)?.match(/error=/g)).toHaveLength(1);
    expect(checked).toEqual([]);
  });

  it('returns the error of the proof check, and its nonce', async () => {
    const problem: ProofProblem = { error: 'use_dpop_nonce', description: 'Use the "nonce".', nonce: 'n-1' };
    const refusal = await bound({}, problem).come('DPoP bound', 'stale');
    expect(refusal).toMatchObject({ status: 401, headers: { 'dpop-nonce': 'n-1' } });
    expect(challengeOf(refusal)).toBe(
      `DPoP error="use_dpop_nonce", ${metadata}, algs="ES256 EdDSA", error_description="Use the  nonce .", Bearer ${metadata}`,
    );
  });

  it('returns the next nonce with an accepted request, and with one that lacks scopes', async () => {
    const next = { nonce: 'n-2' };
    const headers = { 'dpop-nonce': 'n-2' };
    expect(await bound({}, next).come('DPoP bound', 'good')).toMatchObject({
      principal: { id: 'ada' },
      headers,
    });
    const lacking = await bound({ scopes: ['a'] }, next).come('DPoP bound', 'good');
    expect(lacking).toMatchObject({ status: 403, headers });
  });

  it('answers 503 if the nonce cannot be a header', async () => {
    const refusal = await bound({}, { nonce: 'a\r\nset-cookie: b' }).come('DPoP bound', 'good');
    expect(refusal).toMatchObject({ status: 503, cause: expect.any(TypeError) });
  });

  it('answers 503 if proofs cannot be checked', async () => {
    const refusal = await bound({}, new Error('no store')).come('DPoP bound', 'good');
    expect(refusal).toMatchObject({ status: 503, cause: { message: 'no store' } });
  });

  it('requires more scopes with the scheme of the request', async () => {
    const { guard, come } = bound();
    const demanded = async (authorization: string) =>
      challengeOf(guard.demand(['a'], await come(authorization, 'good')));
    expect(await demanded('DPoP bound')).toMatch(/^DPoP error="insufficient_scope", scope="a"/);
    expect(await demanded('Bearer plain')).toMatch(/^Bearer error="insufficient_scope", scope="a"/);
  });
});

describe('ResourceGuard with dpopRequired', () => {
  it('rejects Bearer tokens, and lists only DPoP', async () => {
    for (const token of ['plain', 'bound']) {
      const refusal = await bound({ dpopRequired: true }).come(`Bearer ${token}`, 'good');
      expect(challengeOf(refusal)).toMatch(/^DPoP error="invalid_token", .*algs="ES256 EdDSA"/);
      expect(challengeOf(refusal)).not.toContain('Bearer ');
    }
  });
});

describe('ResourceGuard without dpop', () => {
  it.each(['DPoP bound', 'DPoP plain', 'Bearer bound'])('rejects %s', async (authorization) => {
    const refusal = await bound({ dpop: undefined }).come(authorization, 'good');
    expect(refusal.status).toBe(401);
    expect(challengeOf(refusal)).toMatch(/^Bearer error="invalid_token"/);
    expect(challengeOf(refusal)).not.toContain('DPoP ');
  });
});
