import { runInNewContext } from 'node:vm';
import type { HttpRefusal, JsonObject, Principal } from '@tenon/mcp-protocol';
import { describe, expect, it, vi } from 'vitest';
import { FakeClock } from '../../../testing/src/fake-clock.js';
import { requestWith } from '../../test/server/guarded-request.js';
import type { Rejected, Verified } from '../verifiers/verify.js';
import { ResourceGuard } from './resource-guard.js';
import type { RefusedRequest, ResourceGuardOptions } from './resource-guard-options.js';

const issuer = 'https://auth.example.com';
const metadata = 'https://mcp.example.com/.well-known/oauth-protected-resource/mcp';

type Outcome = Verified | Rejected | undefined | Error;

/** Returns a guard with a verifier that knows these tokens. */
function guarded(tokens: Record<string, Outcome> = {}, options: Partial<ResourceGuardOptions> = {}) {
  const refused: RefusedRequest[] = [];
  const clock = new FakeClock();
  const guard = new ResourceGuard({
    resource: 'https://mcp.example.com/mcp',
    authorizationServers: [issuer],
    verify(token) {
      const outcome = tokens[token];
      if (outcome instanceof Error) throw outcome;
      return outcome;
    },
    onRefused: (request) => refused.push(request),
    clock,
    ...options,
  });
  const come = async (headers: Record<string, string> = {}, url?: string) =>
    (await guard.admit(requestWith(headers, url))) as Principal & HttpRefusal;
  const bearer = (token: string) => come({ authorization: `Bearer ${token}` });
  return { guard, come, bearer, refused, clock };
}

const challengeOf = (refusal: HttpRefusal) => refusal.headers?.['www-authenticate'];

describe('ResourceGuard without a token', () => {
  it('answers 401 with the URL of the metadata, and without an error', async () => {
    const { come, refused } = guarded({}, { scopes: ['notes:read', 'notes:list'] });
    const refusal = await come();
    expect(refusal.status).toBe(401);
    expect(challengeOf(refusal)).toBe(
      `Bearer scope="notes:read notes:list", resource_metadata="${metadata}"`,
    );
    expect(refused).toEqual([
      expect.objectContaining({ status: 401, error: undefined, request: { method: 'POST', path: '/mcp' } }),
    ]);
  });

  it('answers without a promise', () => {
    expect(guarded().guard.admit(requestWith())).toMatchObject({ status: 401 });
  });

  it('adds the realm of the options', async () => {
    const { come } = guarded({}, { realm: 'notes of ACME' });
    expect(challengeOf(await come())).toBe(`Bearer realm="notes of ACME", resource_metadata="${metadata}"`);
  });

  it('answers 401 for credentials of another scheme', async () => {
    expect(await guarded().come({ authorization: 'Basic YWRhOng=' })).toMatchObject({ status: 401 });
  });
});

describe('ResourceGuard with a synchronous verifier', () => {
  it('answers without a promise and a timer', () => {
    const { guard, clock } = guarded({ good: { id: 'ada' } });
    const scheduled = vi.spyOn(clock, 'schedule');
    expect(guard.admit(requestWith({ authorization: 'Bearer good' }))).toMatchObject({ id: 'ada' });
    expect(guard.admit(requestWith({ authorization: 'Bearer bad' }))).toMatchObject({ status: 401 });
    expect(scheduled).not.toHaveBeenCalled();
  });

  it('waits for a promise of another realm', async () => {
    const { bearer } = guarded({}, { verify: () => runInNewContext("Promise.resolve({ id: 'ada' })") });
    expect(await bearer('good')).toMatchObject({ id: 'ada' });
  });
});

describe('ResourceGuard with a malformed request', () => {
  it.each([
    [{ authorization: 'Bearer a b' }, '/mcp', /one token/],
    [{ authorization: 'Bearer good' }, '/mcp?access_token=good', /URL/],
    [{}, '/mcp?access_token=good', /URL/],
    [{ authorization: `Bearer ${'x'.repeat(16_385)}` }, '/mcp', /16384 characters/],
  ])('answers 400 with the reason: %j %s', async (headers, url, reason) => {
    const { come, refused } = guarded({ good: { id: 'ada' } });
    const refusal = await come(headers as Record<string, string>, url);
    expect(refusal).toMatchObject({ status: 400, code: -32600, reason: expect.stringMatching(reason) });
    expect(challengeOf(refusal)).toContain('Bearer error="invalid_request", resource_metadata="');
    expect(JSON.stringify(refused)).not.toContain('good');
  });
});

describe('ResourceGuard with a token', () => {
  it('returns its content as principal', async () => {
    const { bearer, refused } = guarded({
      good: {
        id: 'ada',
        clientId: 'editor',
        expiresAt: 5_000_000_000_000,
        scopes: ['a'],
        claims: { team: 'x' },
      },
    });
    expect(await bearer('good')).toEqual({
      id: 'ada',
      issuer,
      clientId: 'editor',
      expiresAt: 5_000_000_000_000,
      scopes: ['a'],
      claims: { team: 'x' },
    });
    expect(refused).toEqual([]);
  });

  it('returns only what the token contains', async () => {
    expect(await guarded({ good: { id: 'ada' } }).bearer('good')).toEqual({ id: 'ada', issuer, scopes: [] });
  });

  it('adds the scopes that its scopes include', async () => {
    const scopes = { implies: { admin: ['write'], write: ['read'] } };
    const { bearer } = guarded({ good: { id: 'ada', scopes: ['admin'] } }, { scopes });
    expect((await bearer('good')).scopes).toEqual(['admin', 'write', 'read']);
  });

  it.each<[string, Outcome, string]>([
    ['is not valid', undefined, 'The token is not valid here.'],
    [
      'is rejected',
      { rejected: 'The token is for "another" resource.' },
      'The token is for  another  resource.',
    ],
    ['has expired', { id: 'ada', expiresAt: 1_000 }, 'The token has expired.'],
    [
      'is bound to a key',
      { id: 'ada', boundKey: 'x' },
      'The token is bound to a key: it cannot be used as Bearer.',
    ],
  ])('answers 401 for a token that %s', async (_title, outcome, description) => {
    const { bearer, refused, clock } = guarded({ bad: outcome });
    await clock.advance(1_000);
    const refusal = await bearer('bad');
    expect(refusal).toMatchObject({ status: 401, code: -31003 });
    expect(challengeOf(refusal)).toBe(
      `Bearer error="invalid_token", resource_metadata="${metadata}", error_description="${description}"`,
    );
    expect(refused).toMatchObject([{ status: 401, error: 'invalid_token' }]);
    expect(JSON.stringify([refusal, refused])).not.toContain('bad');
  });

  it('passes the request and the realm to the verifier', async () => {
    const seen: unknown[] = [];
    const { come, clock } = guarded({}, { verify: (...given) => void seen.push(...given) });
    await come({ authorization: 'Bearer abc' }, '/mcp?x=1');
    expect(seen).toEqual([
      'abc',
      expect.objectContaining({ url: '/mcp?x=1' }),
      { resource: 'https://mcp.example.com/mcp', authorizationServers: [issuer], clock },
    ]);
  });

  it('requires an issuer in the result if there are several', async () => {
    const two = { authorizationServers: [issuer, 'https://other.example.com'] };
    const tokens = { silent: { id: 'ada' }, good: { id: 'ada', issuer: 'https://other.example.com' } };
    const { bearer } = guarded(tokens, two);
    expect((await bearer('good')).issuer).toBe('https://other.example.com');
    expect(await bearer('silent')).toMatchObject({ status: 503, cause: expect.any(TypeError) });
  });
});

describe('ResourceGuard without a usable verifier', () => {
  const big: JsonObject = { text: 'x'.repeat(16_385) };
  it.each<[string, unknown]>([
    ['the verifier throws', new Error('secret detail')],
    ['it returns no id', {}],
    ['it returns an empty id', { id: '' }],
    ['it returns an id that is not a string', { id: 5 }],
    ['it returns an id that is too long', { id: 'x'.repeat(1_025) }],
    ['it returns too many claims', { id: 'ada', claims: big }],
    ['it returns an expiry that is a string', { id: 'ada', expiresAt: '2030-01-01' }],
    ['it returns NaN as expiry', { id: 'ada', expiresAt: Number.NaN }],
    ['it returns scopes that are not an array', { id: 'ada', scopes: 'a b' }],
  ])('answers 503 without a challenge if %s', async (_title, outcome) => {
    const { bearer, refused } = guarded({ odd: outcome as Outcome });
    const refusal = await bearer('odd');
    expect(refusal).toMatchObject({ status: 503, headers: { 'retry-after': '5' }, cause: expect.any(Error) });
    expect(challengeOf(refusal)).toBeUndefined();
    expect(refusal.reason).not.toContain('secret');
    expect(refused).toEqual([
      { status: 503, reason: refusal.reason, request: { method: 'POST', path: '/mcp' } },
    ]);
  });

  it('answers 503 if the verifier takes too long', async () => {
    const { guard, clock } = guarded({}, { verify: () => new Promise(() => undefined) });
    const answer = guard.admit(requestWith({ authorization: 'Bearer abc' }));
    await clock.advance(15_000);
    expect(await answer).toMatchObject({ status: 503, cause: { message: expect.stringContaining('15 s') } });
  });
});

describe('ResourceGuard with scopes', () => {
  it.each([
    [undefined, 403],
    [[], 403],
    [['a'], 403],
    [['b', 'c'], 403],
    [['b', 'a', 'c'], undefined],
  ])('requires all scopes: the status for %j is %s', async (scopes, status) => {
    const { bearer } = guarded({ one: { id: 'ada', scopes } }, { scopes: ['a', 'b'] });
    expect((await bearer('one')).status).toBe(status);
  });

  it('lists all required scopes in the challenge', async () => {
    const { bearer, refused } = guarded({ one: { id: 'ada', scopes: ['a'] } }, { scopes: ['a', 'b'] });
    const refusal = await bearer('one');
    expect(challengeOf(refusal)).toBe(
      `Bearer error="insufficient_scope", scope="a b", resource_metadata="${metadata}", ` +
        'error_description="This requires the scopes a b."',
    );
    expect(refused).toMatchObject([
      { status: 403, error: 'insufficient_scope', scopes: ['a', 'b'], principal: { id: 'ada' } },
    ]);
  });

  it('demands the scopes of an entry together with those of every request', async () => {
    const { guard, bearer, refused } = guarded({ one: { id: 'ada', scopes: ['a'] } }, { scopes: ['a'] });
    const principal = await bearer('one');
    const refusal = guard.demand(['write', 'move'], principal);
    expect(refusal.status).toBe(403);
    expect(challengeOf(refusal)).toContain('Bearer error="insufficient_scope", scope="a write move"');
    expect(refused).toMatchObject([
      { status: 403, scopes: ['a', 'write', 'move'], principal: { id: 'ada' } },
    ]);
  });
});

describe('onRefused', () => {
  it('passes its error on as cause, and still answers', async () => {
    const boom = new Error('disk full');
    const onRefused = () => {
      throw boom;
    };
    expect(await guarded({}, { onRefused }).come()).toMatchObject({ status: 401, cause: boom });
  });

  it('does not end the process if it rejects', async () => {
    const written = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const boom = new Error('disk full');
    expect(await guarded({}, { onRefused: () => Promise.reject(boom) }).come()).toMatchObject({
      status: 401,
    });
    await vi.waitFor(() => expect(written).toHaveBeenCalledWith(expect.any(String), boom));
    written.mockRestore();
  });

  it('does not hide an error of the verifier', async () => {
    const [down, boom] = [new Error('no keys'), new Error('disk full')];
    const onRefused = () => {
      throw boom;
    };
    const { cause } = await guarded({ odd: down }, { onRefused }).bearer('odd');
    expect((cause as AggregateError).errors).toEqual([down, boom]);
  });

  it('receives no query', async () => {
    const { come, refused } = guarded();
    await come({}, '/mcp?secret=1');
    expect(refused[0]?.request?.path).toBe('/mcp');
  });
});
