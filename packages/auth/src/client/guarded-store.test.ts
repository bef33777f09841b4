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

it('tells failures of a store as such, with its own error for the cause', async () => {
  const store = guardedStore(failing);
  const told = { name: 'AuthError', reason: 'storage', cause: broken };
  await expect(store.get('a')).rejects.toMatchObject(told);
  await expect(store.swap('a', undefined, {})).rejects.toMatchObject(told);
  await expect(store.exclusively?.('a', async () => 1)).rejects.toMatchObject(told);
});

it('takes null for nothing, as many databases say it', async () => {
  const store = guardedStore({ get: () => null as never, swap: () => true });
  expect(await store.get('a')).toBeUndefined();
});

it('leaves what the store says of itself, and what a task says, as they are', async () => {
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

it('is one for each store, and has a lock where the store has one', async () => {
  const memory = new MemoryAuthStore();
  const store = guardedStore(memory);
  expect(guardedStore(memory)).toBe(store);
  expect(store.exclusively).toBeUndefined();
  expect(await store.swap('a', undefined, { b: 1 })).toBe(true);
  expect(await store.get('a')).toMatchObject({ value: { b: 1 } });
});
