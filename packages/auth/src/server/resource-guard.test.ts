import { runInNewContext } from 'node:vm';
import type { HttpRefusal, JsonObject, Principal } from '@tenon/mcp-protocol';
import { describe, expect, it, vi } from 'vitest';
import { requestWith } from '../../test/guarded-request.js';
import { ManualClock } from '../../test/manual-clock.js';
import type { ProtectOptions, RefusedRequest } from './protect-options.js';
import { ResourceGuard } from './resource-guard.js';
import type { Rejected, Verified } from './verify.js';

const issuer = 'https://auth.example.com';
const metadata = 'https://mcp.example.com/.well-known/oauth-protected-resource/mcp';

type Outcome = Verified | Rejected | undefined | Error;

/** A server that is protected by tokens that say what a test says they do. */
function guarded(tokens: Record<string, Outcome> = {}, options: Partial<ProtectOptions> = {}) {
  const refused: RefusedRequest[] = [];
  const clock = new ManualClock();
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

describe('a request without a token', () => {
  it('is told where to get one, and of no error', async () => {
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

  it('is told so at once', () => {
    expect(guarded().guard.admit(requestWith())).toMatchObject({ status: 401 });
  });

  it('is told the realm, where there is one', async () => {
    const { come } = guarded({}, { realm: 'notes of ACME' });
    expect(challengeOf(await come())).toBe(`Bearer realm="notes of ACME", resource_metadata="${metadata}"`);
  });

  it('is what one with credentials of another kind is', async () => {
    expect(await guarded().come({ authorization: 'Basic YWRhOng=' })).toMatchObject({ status: 401 });
  });
});

describe('a request whose token is known', () => {
  it('is let in at once, without a timer', () => {
    const { guard, clock } = guarded({ good: { id: 'ada' } });
    const scheduled = vi.spyOn(clock, 'schedule');
    expect(guard.admit(requestWith({ authorization: 'Bearer good' }))).toMatchObject({ id: 'ada' });
    expect(guard.admit(requestWith({ authorization: 'Bearer bad' }))).toMatchObject({ status: 401 });
    expect(scheduled).not.toHaveBeenCalled();
  });

  it('is waited for where what tells it is a promise of another realm', async () => {
    const { bearer } = guarded({}, { verify: () => runInNewContext("Promise.resolve({ id: 'ada' })") });
    expect(await bearer('good')).toMatchObject({ id: 'ada' });
  });
});

describe('a request that is malformed', () => {
  it.each([
    [{ authorization: 'Bearer a b' }, '/mcp', /one token/],
    [{ authorization: 'Bearer good' }, '/mcp?access_token=good', /URL/],
    [{}, '/mcp?access_token=good', /URL/],
    [{ authorization: `Bearer ${'x'.repeat(16_385)}` }, '/mcp', /16384 characters/],
  ])('is told what is wrong: %j %s', async (headers, url, reason) => {
    const { come, refused } = guarded({ good: { id: 'ada' } });
    const refusal = await come(headers as Record<string, string>, url);
    expect(refusal).toMatchObject({ status: 400, code: -32600, reason: expect.stringMatching(reason) });
    expect(challengeOf(refusal)).toContain('Bearer error="invalid_request", resource_metadata="');
    expect(JSON.stringify(refused)).not.toContain('good');
  });
});

describe('a token', () => {
  it('that is valid lets its holder in, as what it says', async () => {
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

  it('that says little leaves little', async () => {
    expect(await guarded({ good: { id: 'ada' } }).bearer('good')).toEqual({ id: 'ada', issuer, scopes: [] });
  });

  it('grants what its scopes imply', async () => {
    const scopes = { implies: { admin: ['write'], write: ['read'] } };
    const { bearer } = guarded({ good: { id: 'ada', scopes: ['admin'] } }, { scopes });
    expect((await bearer('good')).scopes).toEqual(['admin', 'write', 'read']);
  });

  it.each<[string, Outcome, string]>([
    ['is not valid', undefined, 'The token is not valid here.'],
    [
      'is refused',
      { rejected: 'The token is for "another" resource.' },
      'The token is for  another  resource.',
    ],
    ['has expired', { id: 'ada', expiresAt: 1_000 }, 'The token has expired.'],
    [
      'is bound to a key',
      { id: 'ada', boundKey: 'x' },
      'The token is bound to a key: it is worth nothing as Bearer.',
    ],
  ])('that %s lets nobody in', async (_title, outcome, description) => {
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

  it('is verified with the request and with what it must be for', async () => {
    const seen: unknown[] = [];
    const { come, clock } = guarded({}, { verify: (...given) => void seen.push(...given) });
    await come({ authorization: 'Bearer abc' }, '/mcp?x=1');
    expect(seen).toEqual([
      'abc',
      expect.objectContaining({ url: '/mcp?x=1' }),
      { resource: 'https://mcp.example.com/mcp', authorizationServers: [issuer], clock },
    ]);
  });

  it('of one of several issuers names it', async () => {
    const two = { authorizationServers: [issuer, 'https://other.example.com'] };
    const tokens = { silent: { id: 'ada' }, good: { id: 'ada', issuer: 'https://other.example.com' } };
    const { bearer } = guarded(tokens, two);
    expect((await bearer('good')).issuer).toBe('https://other.example.com');
    expect(await bearer('silent')).toMatchObject({ status: 503, cause: expect.any(TypeError) });
  });
});

describe('where it cannot be told what a token is worth', () => {
  const big: JsonObject = { text: 'x'.repeat(16_385) };
  it.each<[string, unknown]>([
    ['the verifier fails', new Error('secret detail')],
    ['there is no id', {}],
    ['the id is empty', { id: '' }],
    ['the id is no text', { id: 5 }],
    ['the id is endless', { id: 'x'.repeat(1_025) }],
    ['the claims are too many', { id: 'ada', claims: big }],
    ['the time it expires is no number', { id: 'ada', expiresAt: '2030-01-01' }],
    ['the time it expires is not a number', { id: 'ada', expiresAt: Number.NaN }],
    ['the scopes are no list', { id: 'ada', scopes: 'a b' }],
  ])('as %s, nobody is let in and nobody is sent for another token', async (_title, outcome) => {
    const { bearer, refused } = guarded({ odd: outcome as Outcome });
    const refusal = await bearer('odd');
    expect(refusal).toMatchObject({ status: 503, headers: { 'retry-after': '5' }, cause: expect.any(Error) });
    expect(challengeOf(refusal)).toBeUndefined();
    expect(refusal.reason).not.toContain('secret');
    expect(refused).toEqual([
      { status: 503, reason: refusal.reason, request: { method: 'POST', path: '/mcp' } },
    ]);
  });

  it('as the verifier takes too long, the answer is no', async () => {
    const { guard, clock } = guarded({}, { verify: () => new Promise(() => undefined) });
    const answer = guard.admit(requestWith({ authorization: 'Bearer abc' }));
    await clock.advance(15_000);
    expect(await answer).toMatchObject({ status: 503, cause: { message: expect.stringContaining('15 s') } });
  });
});

describe('scopes', () => {
  it.each([
    [undefined, 403],
    [[], 403],
    [['a'], 403],
    [['b', 'c'], 403],
    [['b', 'a', 'c'], undefined],
  ])('every request takes are looked at: of %j the answer is %s', async (scopes, status) => {
    const { bearer } = guarded({ one: { id: 'ada', scopes } }, { scopes: ['a', 'b'] });
    expect((await bearer('one')).status).toBe(status);
  });

  it('that are lacking are told, all of them', async () => {
    const { bearer, refused } = guarded({ one: { id: 'ada', scopes: ['a'] } }, { scopes: ['a', 'b'] });
    const refusal = await bearer('one');
    expect(challengeOf(refusal)).toBe(
      `Bearer error="insufficient_scope", scope="a b", resource_metadata="${metadata}", ` +
        'error_description="This takes the scopes a b."',
    );
    expect(refused).toMatchObject([
      { status: 403, error: 'insufficient_scope', scopes: ['a', 'b'], principal: { id: 'ada' } },
    ]);
  });

  it('that something takes are demanded with those that everything takes', async () => {
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

describe('the audit', () => {
  it('that fails changes nothing for the client, and the operator hears of it', async () => {
    const boom = new Error('disk full');
    const onRefused = () => {
      throw boom;
    };
    expect(await guarded({}, { onRefused }).come()).toMatchObject({ status: 401, cause: boom });
  });

  it('that fails later does not end the process', async () => {
    const written = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const boom = new Error('disk full');
    expect(await guarded({}, { onRefused: () => Promise.reject(boom) }).come()).toMatchObject({
      status: 401,
    });
    await vi.waitFor(() => expect(written).toHaveBeenCalledWith(expect.any(String), boom));
    written.mockRestore();
  });

  it('that fails hides no failure of the verifier', async () => {
    const [down, boom] = [new Error('no keys'), new Error('disk full')];
    const onRefused = () => {
      throw boom;
    };
    const { cause } = await guarded({ odd: down }, { onRefused }).bearer('odd');
    expect((cause as AggregateError).errors).toEqual([down, boom]);
  });

  it('hears nothing of a query', async () => {
    const { come, refused } = guarded();
    await come({}, '/mcp?secret=1');
    expect(refused[0]?.request?.path).toBe('/mcp');
  });
});
