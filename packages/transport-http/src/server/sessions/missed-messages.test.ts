import { StateError } from '@tenon/mcp-state';
import { expect, it, vi } from 'vitest';
import { settled } from '../../../../testing/src/fake-clock.js';
import { FakeCluster } from '../../../test/fake-cluster.js';

it('reads each session once, and not all at the same time, after messages were lost', async () => {
  const cluster = new FakeCluster();
  const first = await cluster.process();
  for (let count = 0; count < 100; count++) await first.opened();
  const kv = first.application.cluster?.state.kv as typeof cluster.state.kv;
  const get = kv.get.bind(kv);
  let [reads, running, most] = [0, 0, 0];
  vi.spyOn(kv, 'get').mockImplementation(async (key) => {
    reads++;
    most = Math.max(most, ++running);
    await undefined;
    running--;
    return get(key);
  });
  cluster.memory.interrupt();
  cluster.memory.restore();
  await settled();
  expect([reads, most]).toEqual([100, 32]);
});

it('reports the loss of the state once while it reads the sessions', async () => {
  const cluster = new FakeCluster();
  const first = await cluster.process();
  for (let count = 0; count < 100; count++) await first.opened();
  cluster.memory.interrupt();
  cluster.memory.restore();
  cluster.memory.interrupt();
  for (let passed = 0; passed < 31_000; passed += 500) await first.clock.advance(500);
  expect(first.errors).toHaveLength(1);
});

it('reads a session again when the state fails for a moment after messages were lost', async () => {
  const cluster = new FakeCluster();
  const process = await cluster.process();
  const session = await process.opened();
  await cluster.state.kv.delete(`session/${session['mcp-session-id']}/record`);
  const { kv } = cluster.state;
  const get = vi.spyOn(kv, 'get').mockRejectedValueOnce(new StateError('unavailable', 'State: too slow.'));
  cluster.memory.interrupt();
  cluster.memory.restore();
  await settled();
  expect([get.mock.calls.length, process.application.last.isClosed]).toEqual([1, false]);
  await process.clock.advance(500);
  expect(process.application.last.isClosed).toBe(true);
});
