import { expect, it } from 'vitest';
import { AuthError } from '../auth-error.js';
import type { AuthStore } from './auth-store.js';
import { guardedStore } from './guarded-store.js';
import { MemoryAuthStore } from './memory-store.js';

const broken = new Error('disk on fire');
const failing: AuthStore = {
  get: () => {
    throw broken;
  },
  swap: async () => Promise.reject(broken),
  exclusively: async () => Promise.reject(broken),
};

it('throws AuthError with the error of the store as cause', async () => {
  const store = guardedStore(failing);
  const failure = { name: 'AuthError', reason: 'storage', cause: broken };
  await expect(store.get('a')).rejects.toMatchObject(failure);
  await expect(store.swap('a', undefined, {})).rejects.toMatchObject(failure);
  await expect(store.exclusively?.('a', async () => 1)).rejects.toMatchObject(failure);
});

it('returns undefined for null', async () => {
  const store = guardedStore({ get: () => null as never, swap: () => true });
  expect(await store.get('a')).toBeUndefined();
});

it('passes on AuthErrors of the store, and errors of a task', async () => {
  const own = new AuthError('storage', 'Full.');
  const store = guardedStore({
    get: () => {
      throw own;
    },
    swap: () => true,
    exclusively: (_, task) => task(),
  });
  await expect(store.get('a')).rejects.toBe(own);
  await expect(store.exclusively?.('a', async () => Promise.reject(broken))).rejects.toBe(broken);
  expect(await store.exclusively?.('a', async () => 7)).toBe(7);
});

it('returns the same wrapper for a store, with exclusively() only if the store has it', async () => {
  const memory = new MemoryAuthStore();
  const store = guardedStore(memory);
  expect(guardedStore(memory)).toBe(store);
  expect(store.exclusively).toBeUndefined();
  expect(await store.swap('a', undefined, { b: 1 })).toBe(true);
  expect(await store.get('a')).toMatchObject({ value: { b: 1 } });
});
