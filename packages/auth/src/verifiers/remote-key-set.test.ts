import { beforeEach, describe, expect, it } from 'vitest';
import { type Scripted, ScriptedHttp } from '../../test/http/scripted-http.js';
import { createSigner } from '../../test/server/signer.js';
import { AuthError } from '../auth-error.js';
import { RemoteKeySet } from './remote-key-set.js';

const address = 'https://auth.example/jwks';
const first = await createSigner('first');
const second = await createSigner('second');
const one = { alg: 'ES256', kid: 'first' };
const two = { alg: 'ES256', kid: 'second' };

let now: number;
let waiting: { readonly task: () => void; readonly ms: number }[];
let http: ScriptedHttp;
let answer: Scripted | (() => Promise<Scripted>);
let located: number;
let keys: RemoteKeySet;

beforeEach(() => {
  now = 1_800_000_000_000;
  located = 0;
  waiting = [];
  answer = { body: { keys: [first.jwk] } };
  http = new ScriptedHttp().on(address, () => (typeof answer === 'function' ? answer() : answer));
  keys = new RemoteKeySet({
    issuer: 'https://auth.example',
    locate: async () => {
      located += 1;
      return new URL(address);
    },
    http,
    clock: {
      now: () => now,
      schedule(task, ms) {
        const entry = { task, ms };
        waiting.push(entry);
        return () => void waiting.splice(waiting.indexOf(entry), 1);
      },
    },
    maxAge: 600_000,
  });
});

function broken(): void {
  answer = () => Promise.reject(new AuthError('unreachable', 'It takes too long.'));
}

describe('RemoteKeySet', () => {
  it('fetches once for many calls at the same time, and caches the keys', async () => {
    await Promise.all(Array.from({ length: 50 }, () => keys.find(one)));
    now += 599_999;
    expect(await keys.find(one)).toHaveLength(1);
    expect(http.requests).toHaveLength(1);
    now += 1;
    await keys.find(one);
    expect(http.requests).toHaveLength(2);
    expect(located).toBe(1);
  });

  it.each([
    ['max-age=60', 60_000],
    ['public, max-age=86400', 600_000],
    ['max-age=1', 30_000],
    ['no-store', 30_000],
    ['MAX-AGE="90"', 90_000],
    ['max-age=-1', 600_000],
    ['max-age=99999999999999999999', 600_000],
  ])('applies Cache-Control: %s for %i ms', async (header, freshFor) => {
    answer = { body: { keys: [first.jwk] }, headers: { 'cache-control': header } };
    await keys.find(one);
    now += freshFor - 1;
    await keys.find(one);
    expect(http.requests).toHaveLength(1);
    now += 1;
    await keys.find(one);
    expect(http.requests).toHaveLength(2);
  });

  it('finds a new key of the issuer, and no longer an old one', async () => {
    await keys.find(one);
    answer = { body: { keys: [second.jwk] } };
    now += 30_000;
    expect(await keys.find(two)).toHaveLength(1);
    expect(await keys.find(one)).toEqual([]);
  });

  it('fetches once for many tokens with a new key', async () => {
    await keys.find(one);
    answer = { body: { keys: [second.jwk] } };
    now += 30_000;
    const found = await Promise.all(Array.from({ length: 20 }, () => keys.find(two)));
    expect(found.map((list) => list.length)).toEqual(Array(20).fill(1));
    expect(http.requests).toHaveLength(2);
  });

  it('limits the fetches for unknown keys', async () => {
    for (let token = 0; token < 1_000; token++) {
      await keys.find({ alg: 'ES256', kid: `unknown-${token}` });
      now += 60;
    }
    // In one minute: at the start, and after 30 seconds.
    expect(http.requests).toHaveLength(2);
  });

  it('uses the old keys for a while if they cannot be fetched', async () => {
    await keys.find(one);
    broken();
    now += 600_000;
    expect(await keys.find(one)).toHaveLength(1);
    now += 3_599_999;
    expect(await keys.find(one)).toHaveLength(1);
    now += 1;
    await expect(keys.find(one)).rejects.toMatchObject({ name: 'AuthError', reason: 'unreachable' });
  });

  it('returns a known key after a short wait if the issuer is slow', async () => {
    await keys.find(one);
    now += 600_000;
    let arrive = (_: Scripted) => {};
    answer = () => new Promise((resolve) => (arrive = resolve));
    const first = keys.find(one);
    await expect.poll(() => waiting.map(({ ms }) => ms)).toEqual([1_000]);
    now += 1_000;
    waiting[0]?.task();
    expect(await first).toHaveLength(1);
    expect([await keys.find(one), waiting, http.requests.length]).toEqual([[expect.anything()], [], 2]);
    const stranger = keys.find(two);
    arrive({ body: { keys: [second.jwk] } });
    expect(await stranger).toHaveLength(1);
    expect(await keys.find(one)).toEqual([]);
    expect(waiting).toEqual([]);
  });

  it('rejects for an unknown key if the keys cannot be fetched', async () => {
    await keys.find(one);
    broken();
    now += 30_000;
    await expect(keys.find(two)).rejects.toThrow('The keys of https://auth.example cannot be fetched');
    await expect(keys.find(two)).rejects.toThrow(AuthError);
    expect(http.requests).toHaveLength(2);
    expect(await keys.find(one)).toHaveLength(1);
  });

  it('fetches again after a failure, with pauses that grow up to the cooldown', async () => {
    broken();
    const tries: number[] = [];
    const start = now;
    for (; now - start <= 120_000; now += 500) {
      const before = http.requests.length;
      await expect(keys.find(one)).rejects.toThrow(AuthError);
      if (http.requests.length > before) tries.push((now - start) / 1_000);
    }
    expect(tries).toEqual([0, 1, 3, 7, 15, 31, 61, 91]);
    answer = { body: { keys: [first.jwk] } };
    now += 30_000;
    expect(await keys.find(one)).toHaveLength(1);
  });

  it('looks up the URL of the keys again after a failure', async () => {
    broken();
    await expect(keys.find(one)).rejects.toThrow(AuthError);
    now += 1_000;
    answer = { body: { keys: [first.jwk] } };
    await keys.find(one);
    expect(located).toBe(2);
  });

  it.each<[string, Scripted]>([
    ['a document that is not JSON', { body: '<html>' }],
    ['a document that is not a JWK Set', { body: { key: [] } }],
    ['another status', { status: 500, body: { keys: [first.jwk] } }],
    ['a redirect', { status: 302, headers: { location: 'https://evil.example/' } }],
    ['too many keys', { body: { keys: Array(101).fill(first.jwk) } }],
    ['deeply nested JSON', { body: `${'['.repeat(100_000)}` }],
  ])('rejects %s', async (_what, bad) => {
    answer = bad;
    await expect(keys.find(one)).rejects.toThrow(AuthError);
  });

  it('accepts an empty key set', async () => {
    await keys.find(one);
    answer = { body: { keys: [] } };
    now += 600_000;
    expect(await keys.find(one)).toEqual([]);
  });

  it('fetches again after the clock was set back', async () => {
    await keys.find(one);
    now -= 86_400_000;
    await keys.find(one);
    expect(http.requests).toHaveLength(2);
  });
});
