import { revision20251125 } from '@tenon/mcp-protocol/internal';
import { expect, test } from 'vitest';
import { settled } from '../../../testing/src/fake-clock.js';
import { call, Held, Rig, request } from '../../test/rig.js';

/** A call that sends progress at most ten times a second. */
function running() {
  const held = new Held();
  const rig = new Rig({
    revision: revision20251125,
    limits: { progressPerSecond: 10 },
    requests: { 'tools/call': held.handle },
  });
  const answer = rig.deliver(request(1, 'tools/call', call({ progressToken: 'tok' })));
  const incoming = held.requests[0]!;
  const tell = (from: number, to: number) => {
    for (let value = from; value <= to; value++) void incoming.progress(value);
  };
  return { rig, held, answer, tell, values: () => rig.connection.sent.map((one) => one.params?.progress) };
}

test('sends the newest value once the limit allows it, though no later one comes', async () => {
  const { rig, tell, values } = running();
  tell(1, 15);
  expect(values()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  await rig.clock.advance(99);
  expect(values().at(-1)).toBe(10);
  await rig.clock.advance(2);
  expect(values().slice(10)).toEqual([15]);
  await rig.clock.advance(10_000);
  expect(values()).toHaveLength(11);
});

test('never goes back: a held value is dropped when a newer one passes', async () => {
  const { rig, held, answer, tell, values } = running();
  tell(1, 11);
  // Time in which no timer fires, as when the event loop was busy.
  rig.clock.stall(250);
  tell(12, 12);
  await rig.clock.advance(10_000);
  held.finish();
  await answer;
  expect(values()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12]);
});

test('sends a held value later when its timer fires before its time', async () => {
  const { rig, tell, values } = running();
  const { clock } = rig;
  const schedule = clock.schedule.bind(clock);
  // A real timer takes 1 ms at least.
  clock.schedule = (task, ms) => schedule(task, Math.max(1, ms - 1));
  tell(1, 11);
  await clock.advance(99);
  expect(values().at(-1)).toBe(10);
  await clock.advance(2);
  expect(values().slice(10)).toEqual([11]);
  expect(clock.waiting).toEqual([]);
});

test('has a timer only while a value is held', async () => {
  const { rig, tell } = running();
  tell(1, 10);
  expect(rig.clock.waiting).toEqual([]);
  tell(11, 12);
  expect(rig.clock.waiting).toHaveLength(1);
  await rig.clock.advance(100);
  expect(rig.clock.waiting).toEqual([]);
});

test.each<[string, (parts: ReturnType<typeof running>) => void]>([
  ['is answered', ({ held }) => held.finish()],
  ['fails', ({ held }) => held.fail(new Error('boom'))],
  [
    'is cancelled',
    ({ rig }) => rig.hand({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }),
  ],
])('has no timer once the request %s', async (_title, end) => {
  const parts = running();
  parts.tell(1, 12);
  end(parts);
  await settled();
  expect(parts.rig.clock.waiting).toEqual([]);
});

test('cuts a message that is too long', () => {
  const { rig, held } = running();
  void held.requests[0]?.progress(1, undefined, 'x'.repeat(100_000));
  expect(rig.connection.last.params?.message).toBe('x'.repeat(65_536));
});

test('a value that cannot be written ends nothing', async () => {
  const { rig, held, tell, values } = running();
  tell(1, 10);
  void held.requests[0]?.progress(11, undefined, 5n as never);
  await rig.clock.advance(200);
  tell(12, 12);
  expect(values().at(-1)).toBe(12);
});
