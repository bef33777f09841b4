import type { SessionRecord } from '@tenon/mcp-protocol';
import { expect, it } from 'vitest';
import { ManualClock } from '../../../test/manual-clock.js';
import { MemorySessionStore } from './memory-session-store.js';

const record = (revision: string): SessionRecord => ({
  revision,
  peer: { clientCapabilities: {} },
  openedAt: 0,
});

it('keeps a session for its time, longer when it is touched', () => {
  const clock = new ManualClock();
  const store = new MemorySessionStore(clock);
  store.put('a', record('x'), 100);
  store.put('b', record('y'), 100);
  clock.stall(99);
  store.touch('a', 100);
  store.touch('unknown', 100);
  clock.stall(1);
  expect([store.get('a')?.revision, store.get('b'), store.get('unknown')]).toEqual([
    'x',
    undefined,
    undefined,
  ]);
  clock.stall(99);
  expect(store.get('a')).toBeUndefined();
});

it('forgets what it is told to', () => {
  const store = new MemorySessionStore();
  store.put('a', record('x'), 1_000);
  store.delete('a');
  store.delete('a');
  expect(store.get('a')).toBeUndefined();
});

it('forgets, when it is full, what was used longest ago', () => {
  const clock = new ManualClock();
  const store = new MemorySessionStore(clock, 2);
  store.put('a', record('a'), 1_000);
  store.put('b', record('b'), 1_000);
  store.touch('a', 1_000);
  store.put('c', record('c'), 1_000);
  expect(['a', 'b', 'c'].map((id) => store.get(id)?.revision)).toEqual(['a', undefined, 'c']);
});
