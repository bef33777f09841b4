import { SharedMemory } from '@tenon/mcp-testing/state';
import { beforeEach, describe, expect, it } from 'vitest';
import { StatePageStore } from './state-page-store.js';

let now: number;
let memory: SharedMemory;
let one: StatePageStore;
let other: StatePageStore;

beforeEach(() => {
  now = 1_000;
  const clock = { now: () => now };
  memory = new SharedMemory({ clock });
  one = new StatePageStore(memory.open(), clock);
  other = new StatePageStore(memory.open(), clock);
});

const entry = (value: object = {}) => ({ value: { ...value }, owner: 'alice', expiresAt: 2_000 });

describe('StatePageStore', () => {
  it('returns the entry of another process until it expires', async () => {
    expect(await one.swap('page:a', undefined, entry({ a: 1 }))).toBe(true);
    expect((await other.get('page:a'))?.value).toEqual({ a: 1 });
    now = 1_999;
    expect(await other.get('page:a')).toBeDefined();
    now = 2_000;
    expect(await other.get('page:a')).toBeUndefined();
    expect(await other.swap('page:a', undefined, { ...entry(), expiresAt: 3_000 })).toBe(true);
  });

  it('changes an entry only with its current version', async () => {
    await one.swap('page:a', undefined, entry());
    const version = (await other.get('page:a'))?.version;
    expect(await one.swap('page:a', undefined, entry())).toBe(false);
    expect(await one.swap('page:a', undefined, undefined)).toBe(false);
    expect(await one.swap('page:a', version, entry({ changed: true }))).toBe(true);
    expect(await other.swap('page:a', version, entry())).toBe(false);
    expect(await other.swap('page:a', version, undefined)).toBe(false);
    expect(await other.swap('page:a', (await one.get('page:a'))?.version, undefined)).toBe(true);
    expect(await one.get('page:a')).toBeUndefined();
    expect(await one.swap('page:a', undefined, undefined)).toBe(true);
  });

  it('rejects when the state is unavailable', async () => {
    memory.interrupt();
    await expect(one.get('page:a')).rejects.toMatchObject({ reason: 'unavailable' });
    await expect(one.swap('page:a', undefined, entry())).rejects.toMatchObject({ reason: 'unavailable' });
  });
});
