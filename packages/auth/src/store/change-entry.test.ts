import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from '@tenon/mcp-protocol';
import { SharedMemory } from '@tenon/mcp-state/internal';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FileAuthStore } from '../desktop/file-store.js';
import type { AuthStore } from './auth-store.js';
import { changeEntry } from './change-entry.js';
import { MemoryAuthStore } from './memory-store.js';
import { stateAuthStore } from './state-auth-store.js';

const key = 'tokens:a';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tenon-change-'));
});

afterEach(() => rm(folder, { recursive: true }));

const memory = (): (() => AuthStore) => {
  const store = new MemoryAuthStore();
  return () => ({ get: (name) => store.get(name), swap: (...given) => store.swap(...given) });
};
const state = (): (() => AuthStore) => {
  const shared = new SharedMemory();
  return () => stateAuthStore(shared.open(), { keys: [new Uint8Array(32)] });
};
const files = () => () => new FileAuthStore({ path: join(folder, 'store.json') });

const add = (item: number) => (value: JsonObject | undefined) => ({
  items: [...((value?.items ?? []) as number[]), item],
});

describe('changeEntry', () => {
  it.each([
    ['in memory', memory],
    ['in the state', state],
    ['in a file', files],
  ])('loses no change of several processes at once %s', async (_, stores) => {
    const open = stores();
    const items = [...Array(5).keys()];
    await Promise.all(items.map((item) => changeEntry({ store: open(), key }, add(item))));
    const stored = await open().get(key);
    expect(stored?.value.items).toEqual(expect.arrayContaining(items));
    expect(stored?.value.items).toHaveLength(items.length);
    await changeEntry({ store: open(), key }, () => undefined);
    expect(await open().get(key)).toBeUndefined();
  });

  it('does not read an entry that is known, unless it has changed', async () => {
    const store = memory()();
    await changeEntry({ store, key }, add(1));
    const known = await store.get(key);
    const get = vi.spyOn(store, 'get');
    await changeEntry({ store, key, ...(known && { known }) }, add(2));
    expect(get).not.toHaveBeenCalled();
    expect(await changeEntry({ store, key, ...(known && { known }) }, add(3))).toEqual({ items: [1, 2, 3] });
    expect(get).toHaveBeenCalledTimes(1);
  });

  it('rejects with what happened and what to do when others change the entry all the time', async () => {
    // No pauses between attempts.
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const store: AuthStore = { get: () => undefined, swap: () => false };
    await expect(changeEntry({ store, key }, add(1))).rejects.toMatchObject({
      ...{ name: 'AuthError', reason: 'storage' },
      message: 'The store changed during every attempt to write to it: try again later.',
    });
  });

  it('rejects with the error of the store', async () => {
    const failure = new Error('The disk is full.');
    const store: AuthStore = { get: () => undefined, swap: () => Promise.reject(failure) };
    await expect(changeEntry({ store, key }, add(1))).rejects.toBe(failure);
  });
});
