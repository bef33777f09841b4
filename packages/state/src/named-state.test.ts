import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../testing/src/fake-clock.js';
import { SharedMemory } from './internal.js';
import { memoryState } from './memory/memory-state.js';
import { namedState } from './named-state.js';

const names = [
  'orders',
  'Orders',
  'orders:2',
  'a b/c{d}',
  '',
  '\ud800',
  '予約',
  'x'.repeat(40),
  'x'.repeat(41),
  'x'.repeat(5_000),
  `${'x'.repeat(4_999)}y`,
  `y${'x'.repeat(4_999)}`,
];

describe('the state of a name', () => {
  it('keeps values, logs, messages and leases apart from those of other names, and of no name', async () => {
    const memory = memoryState();
    const states = [memory, ...names.map((name) => namedState(memory, name))];
    const received: string[] = [];
    for (const [index, { kv, log, bus, leases }] of states.entries()) {
      expect(await kv.compareAndSet('a/b/c', `${index}`, { expected: undefined })).toBeDefined();
      expect(await log.append('a/b/l', `${index}`)).toBe(1);
      const message = (text: string) => void received.push(`${index} ${text}`);
      await bus.subscribe('a/t', { message, gap: () => {} });
      const lease = await leases.acquire('a/b', 60_000);
      expect(lease?.name).toBe('a/b');
      await kv.put('a/b/fenced', '', { fence: lease });
      await log.append('a/b/fenced', '', { fence: lease });
      expect(await lease?.renew(60_000)).toBe(true);
    }
    for (const [index, { kv, bus }] of states.entries()) {
      expect((await kv.get('a/b/c'))?.value).toBe(`${index}`);
      await bus.publish('a/t', 'x');
    }
    expect(received).toEqual(states.map((_, index) => `${index} x`));
  });

  it('has keys of bounded length', async () => {
    const { kv, leases } = namedState(memoryState(), '予'.repeat(100_000));
    await kv.put(`session/${'k'.repeat(400)}`, '');
    await leases.acquire(`session/${'k'.repeat(400)}`, 1_000);
  });
});

it('sends messages of a node to nodes of the same name alone', async () => {
  const memory = new SharedMemory();
  const settings = { clock: new FakeClock(), onError: () => {} };
  const [one, same, other] = ['a', 'a', 'b'].map((name) => memory.open().join({ ...settings, name }));
  const received: string[] = [];
  for (const [name, node] of Object.entries({ one, same, other })) {
    await node?.joined;
    node?.handle('news', () => void received.push(name));
  }
  await one?.broadcast('news', null);
  await other?.broadcast('news', null);
  expect(received).toEqual(['same']);
  await Promise.all([one, same, other].map((node) => node?.close()));
});
