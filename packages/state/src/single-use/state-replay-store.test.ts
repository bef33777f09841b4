import { expect, it } from 'vitest';
import { SharedMemory } from '../memory/shared-memory.js';
import { StateReplayStore } from './state-replay-store.js';

function stores() {
  let now = 0;
  const memory = new SharedMemory({ clock: { now: () => now } });
  const store = () => new StateReplayStore(memory.open());
  const advance = (ms: number) => {
    now += ms;
  };
  return { memory, store, advance };
}

it('accepts an id once in all processes, until its time is over', async () => {
  const { store, advance } = stores();
  const [one, other] = [store(), store()];
  expect(await one.remember('alice', 'id', 1_000.5)).toBe(true);
  expect(await other.remember('alice', 'id', 1_000)).toBe(false);
  expect(await other.remember('bob', 'id', 1_000)).toBe(true);
  advance(1_000);
  expect(await one.remember('alice', 'id', 1_000)).toBe(false);
  advance(1);
  expect(await other.remember('alice', 'id', 1_000)).toBe(true);
});

it('accepts an id for one of several processes at the same time', async () => {
  const { store } = stores();
  const firsts = await Promise.all(Array.from({ length: 5 }, () => store().remember('alice', 'id', 1_000)));
  expect(firsts.filter((first) => first)).toHaveLength(1);
});

it('accepts owners and ids of any length and any characters', async () => {
  const { store } = stores();
  expect(await store().remember('', '/../\ud800 \u{1f600}', 1_000)).toBe(true);
  expect(await store().remember('x'.repeat(10_000), 'y'.repeat(10_000), 1_000)).toBe(true);
});

it('rejects when the state is unavailable', async () => {
  const { memory, store } = stores();
  const one = store();
  memory.interrupt();
  await expect(one.remember('alice', 'id', 1_000)).rejects.toMatchObject({ reason: 'unavailable' });
});
