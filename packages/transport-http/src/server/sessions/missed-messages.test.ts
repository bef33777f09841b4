import { StateError } from '@tenon/mcp-state';
import { expect, it, vi } from 'vitest';
import { settled } from '../../../../testing/src/fake-clock.js';
import { FakeProcesses } from '../../../test/fake-processes.js';

it('reads each session once, and not all at the same time, after messages were lost', async () => {
  const processes = new FakeProcesses();
  const first = await processes.process();
  for (let count = 0; count < 100; count++) await first.opened();
  const kv = first.application.processes?.state.kv as typeof processes.state.kv;
  const get = kv.get.bind(kv);
  let [reads, running, most] = [0, 0, 0];
  vi.spyOn(kv, 'get').mockImplementation(async (key) => {
    reads++;
    most = Math.max(most, ++running);
    await undefined;
    running--;
    return get(key);
  });
  processes.memory.interrupt();
  processes.memory.restore();
  await settled();
  expect([reads, most]).toEqual([100, 32]);
});

it('reports the loss of the state once while it reads the sessions', async () => {
  const processes = new FakeProcesses();
  const first = await processes.process();
  for (let count = 0; count < 100; count++) await first.opened();
  processes.memory.interrupt();
  processes.memory.restore();
  processes.memory.interrupt();
  for (let passed = 0; passed < 31_000; passed += 500) await first.clock.advance(500);
  expect(first.errors).toHaveLength(1);
});

it('reads a session again when the state fails for a moment after messages were lost', async () => {
  const processes = new FakeProcesses();
  const process = await processes.process();
  const session = await process.opened();
  await processes.state.kv.delete(`session/${session['mcp-session-id']}/record`);
  const { kv } = processes.state;
  const get = vi.spyOn(kv, 'get').mockRejectedValueOnce(new StateError('unavailable', 'State: too slow.'));
  processes.memory.interrupt();
  processes.memory.restore();
  await settled();
  expect([get.mock.calls.length, process.application.last.isClosed]).toEqual([1, false]);
  await process.clock.advance(500);
  expect(process.application.last.isClosed).toBe(true);
});
