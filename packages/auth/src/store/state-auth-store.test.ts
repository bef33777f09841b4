import { SharedMemory } from '@tenon/mcp-state/internal';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeClock, settled } from '../../../testing/src/fake-clock.js';
import type { AuthStore } from './auth-store.js';
import { guardedStore } from './guarded-store.js';
import { type StateAuthStoreOptions, stateAuthStore } from './state-auth-store.js';

const day = 86_400_000;
const newKey = '1'.repeat(64);
const oldKey = new Uint8Array(32).fill(2);

let clock: FakeClock;
let memory: SharedMemory;

beforeEach(() => {
  clock = new FakeClock();
  memory = new SharedMemory({ clock });
});

/** The store of one process. */
function open(options: Partial<StateAuthStoreOptions> = {}): AuthStore {
  return stateAuthStore(memory.open(), { keys: [newKey], clock, ...options });
}

async function readValue(store: AuthStore, key: string): Promise<unknown> {
  return (await store.get(key))?.value;
}

/** A task that ends when the test says so. */
function longTask() {
  let start = () => {};
  let finish = (_result: string) => {};
  const started = new Promise<void>((resolve) => {
    start = resolve;
  });
  const finished = new Promise<string>((resolve) => {
    finish = resolve;
  });
  const run = () => {
    start();
    return finished;
  };
  return { run, started, finish };
}

describe('stateAuthStore', () => {
  it('returns the values of other processes, and changes only the current version', async () => {
    const [one, other] = [open(), open()];
    expect(await one.swap('tokens:a', undefined, { accessToken: 'first' })).toBe(true);
    const version = (await other.get('tokens:a'))?.version;
    expect(await other.swap('tokens:a', undefined, { accessToken: 'second' })).toBe(false);
    expect(await other.swap('tokens:a', version, { accessToken: 'second' })).toBe(true);
    expect(await one.swap('tokens:a', version, { accessToken: 'third' })).toBe(false);
    expect(await one.swap('tokens:a', version, undefined)).toBe(false);
    expect(await one.swap('tokens:a', undefined, undefined)).toBe(false);
    expect(await readValue(one, 'tokens:a')).toEqual({ accessToken: 'second' });
    expect(await one.swap('tokens:a', (await one.get('tokens:a'))?.version, undefined)).toBe(true);
    expect(await one.get('tokens:a')).toBeUndefined();
    expect(await one.swap('tokens:a', undefined, undefined)).toBe(true);
  });

  it('writes no value in clear text', async () => {
    await open().swap('tokens:a', undefined, { accessToken: 'very secret' });
    const written = (await memory.open().kv.get('auth/tokens:a'))?.value ?? '';
    const readable = written.split('.').map((part) => atob(part.replaceAll('-', '+').replaceAll('_', '/')));
    expect(readable[0]).toBe('{"alg":"dir","enc":"A256GCM","entry":"tokens:a"}');
    expect(written + readable.join()).not.toContain('secret');
  });

  it('reads values that were written with an earlier key', async () => {
    await open({ keys: [oldKey] }).swap('tokens:a', undefined, { accessToken: 'first' });
    const rotated = open({ keys: [newKey, oldKey] });
    const kept = await rotated.get('tokens:a');
    expect(kept?.value).toEqual({ accessToken: 'first' });
    await rotated.swap('tokens:a', kept?.version, { accessToken: 'second' });
    expect(await readValue(open(), 'tokens:a')).toEqual({ accessToken: 'second' });
  });

  it.each([
    [
      'was written with another key',
      async () => void (await open({ keys: [oldKey] }).swap('tokens:b', undefined, {})),
    ],
    [
      'was moved from another entry',
      async () => {
        const { kv } = memory.open();
        await open().swap('tokens:a', undefined, { accessToken: 'of another user' });
        await kv.put('auth/tokens:b', (await kv.get('auth/tokens:a'))?.value ?? '');
      },
    ],
    [
      'is not encrypted',
      async () => void (await memory.open().kv.put('auth/tokens:b', '{"accessToken":"planted"}')),
    ],
  ])('rejects a value that %s', async (_what, write) => {
    await write();
    await expect(open().get('tokens:b')).rejects.toMatchObject({
      reason: 'storage',
      message: expect.stringContaining('the entry "tokens:b" cannot be decrypted'),
    });
  });

  it('deletes tokens that are not used for 90 days, sign-ins after a day, and no issuer', async () => {
    const store = open();
    const keys = ['tokens:a', 'tokens:used', 'sign-in:a', 'sign-in-at:a', 'issuer:a'];
    for (const key of keys) await store.swap(key, undefined, {});
    const found = async () => {
      const { kv } = memory.open();
      const all = await Promise.all(keys.map((key) => kv.get(`auth/${key}`)));
      return keys.filter((_, index) => all[index] !== undefined);
    };
    clock.stall(day);
    expect(await found()).toEqual(['tokens:a', 'tokens:used', 'issuer:a']);
    await store.get('tokens:used');
    clock.stall(89 * day);
    expect(await found()).toEqual(['tokens:used', 'issuer:a']);
    clock.stall(day);
    expect(await found()).toEqual(['issuer:a']);
  });

  it('rejects with an AuthError when the state is unavailable', async () => {
    const store = guardedStore(open());
    memory.interrupt();
    const storage = expect.objectContaining({ reason: 'storage' });
    await expect(store.get('tokens:a')).rejects.toEqual(storage);
    await expect(store.swap('tokens:a', undefined, {})).rejects.toEqual(storage);
    await expect(store.exclusively?.('tokens:a', async () => 1)).rejects.toEqual(storage);
  });

  it('rejects invalid options', () => {
    const cases: readonly [object, string][] = [
      [{ keys: [] }, 'keys must contain at least one key'],
      [{ keys: undefined }, 'keys must be a list'],
      [{ keys: ['short'] }, 'stateAuthStore: keys[0] must be 32 bytes'],
      [{ lifetime: 0 }, 'a positive number'],
      [{ key: newKey }, 'no option "key"'],
    ];
    for (const [options, why] of cases) expect(() => open(options)).toThrow(why);
    expect(() => stateAuthStore({} as never, { keys: [newKey] })).toThrow('must be shared state');
  });
});

describe('exclusively', () => {
  it('runs the tasks of two processes one after the other', async () => {
    const [one, other] = [open(), open()];
    const first = longTask();
    const done = one.exclusively?.('tokens:a', first.run);
    await first.started;
    const second = vi.fn(async () => 'second');
    const waiting = other.exclusively?.('tokens:a', second);
    await settled();
    expect(second).not.toHaveBeenCalled();
    expect(await other.exclusively?.('tokens:b', async () => 'other entry')).toBe('other entry');
    first.finish('first');
    expect(await done).toBe('first');
    await clock.advance(1_000);
    expect(await waiting).toBe('second');
    expect(clock.waiting).toEqual([]);
  });

  it('holds the lease for a task that takes long', async () => {
    const [one, other] = [open(), open()];
    const first = longTask();
    const done = one.exclusively?.('tokens:a', first.run);
    await first.started;
    const second = vi.fn(async () => 'second');
    const waiting = other.exclusively?.('tokens:a', second);
    await clock.advance(30_000);
    expect(second).not.toHaveBeenCalled();
    first.finish('first');
    await done;
    await clock.advance(1_000);
    expect(await waiting).toBe('second');
  });

  it('continues when the process with the lease has ended', async () => {
    await memory.open().leases.acquire('auth/tokens:a', 10_000);
    const task = vi.fn(async () => 'done');
    const waiting = open().exclusively?.('tokens:a', task);
    await clock.advance(9_000);
    expect(task).not.toHaveBeenCalled();
    await clock.advance(2_000);
    expect(await waiting).toBe('done');
  });

  it('renews again after a renewal that failed', async () => {
    const state = memory.open();
    const { leases } = memory.open();
    const renewals: boolean[] = [];
    vi.spyOn(state.leases, 'acquire').mockImplementationOnce(async (name, ttl) => {
      const lease = await leases.acquire(name, ttl);
      if (lease === undefined) return undefined;
      const renew = vi.fn(async (longer: number) => {
        renewals.push(await lease.renew(longer));
        return true;
      });
      return { ...lease, renew: renew.mockRejectedValueOnce(new Error('away')) };
    });
    const first = longTask();
    const done = stateAuthStore(state, { keys: [newKey], clock }).exclusively?.('tokens:a', first.run);
    await first.started;
    await clock.advance(15_000);
    expect(renewals).toEqual([true, true, true]);
    first.finish('first');
    await done;
    expect(clock.waiting).toEqual([]);
  });

  it('rejects when another process holds the lease for too long, and when it is aborted', async () => {
    const first = longTask();
    const done = open().exclusively?.('tokens:a', first.run);
    await first.started;
    const tooLong = expect(open().exclusively?.('tokens:a', async () => 1)).rejects.toMatchObject({
      reason: 'storage',
    });
    const leaving = new AbortController();
    const aborted = expect(open().exclusively?.('tokens:a', async () => 1, leaving.signal)).rejects.toThrow(
      'left',
    );
    await clock.advance(1_000);
    leaving.abort(new Error('left'));
    await aborted;
    await expect(open().exclusively?.('tokens:b', async () => 1, leaving.signal)).rejects.toThrow('left');
    await clock.advance(60_000);
    await tooLong;
    first.finish('first');
    await done;
  });

  it('rejects with the error of the task, and releases the lease', async () => {
    const failing = () => Promise.reject(new Error('no'));
    await expect(open().exclusively?.('tokens:a', failing)).rejects.toThrow('no');
    expect(await open().exclusively?.('tokens:a', async () => 'next')).toBe('next');
  });
});
