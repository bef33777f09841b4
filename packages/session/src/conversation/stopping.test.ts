import { SessionError } from '@tenon/mcp-protocol';
import { revision20251125 } from '@tenon/mcp-protocol/internal';
import { expect, test } from 'vitest';
import { settled } from '../../../testing/src/fake-clock.js';
import { call, deferred, Held, Rig, request } from '../../test/rig.js';

function rigWith(held: Held): Rig {
  return new Rig({ revision: revision20251125, requests: { 'tools/call': held.handle } });
}

test('close with stopWithin aborts the signals of handlers at once, and answers what they end with', async () => {
  const held = new Held();
  const rig = rigWith(held);
  const [first, second] = [1, 2].map((id) => rig.ask(request(id, 'tools/call', call())));
  const [heard] = held.requests;
  const { signal } = heard!;
  const closing = rig.endpoint.close(1_500);
  expect(signal.aborted).toBe(true);
  expect(held.requests[1]?.signal.reason).toBeInstanceOf(SessionError);
  held.fail(signal.reason, 0);
  held.finish(1);
  expect((await first)?.error).toEqual({
    code: -32_603,
    message: 'This end is closing, and the call was stopped.',
  });
  expect((await second)?.result).toEqual({ content: [], isError: false });
  // Both have ended: nothing more is waited for, and no time has passed.
  await closing;
  expect(rig.errors).toEqual([]);
});

test('close with stopWithin waits for handlers that ignore their signals no longer than that', async () => {
  const rig = rigWith(new Held());
  rig.hand(request(1, 'tools/call', call()));
  let over = false;
  const closing = rig.endpoint.close(1_500).then(() => {
    over = true;
  });
  await rig.clock.advance(1_499);
  expect(over).toBe(false);
  await rig.clock.advance(1);
  expect(over).toBe(true);
  await closing;
});

test('close without stopWithin leaves the signals of handlers alone within the drain limit', async () => {
  const held = new Held();
  const rig = rigWith(held);
  const answer = rig.ask(request(1, 'tools/call', call()));
  const closing = rig.endpoint.close();
  await settled();
  expect(held.requests[0]?.signal.aborted).toBe(false);
  held.finish();
  expect((await answer).result).toBeDefined();
  await closing;
});

test('what is asked of a closing end by its application is a session error', async () => {
  const rig = rigWith(new Held());
  const late = deferred<void>();
  rig.connection.onClose = () => late.promise;
  const closing = rig.endpoint.close();
  await expect(rig.endpoint.request('ping', {})).rejects.toBeInstanceOf(SessionError);
  const answers = rig.endpoint.batch([{ method: 'ping', params: {} }]);
  await expect(answers[0]).rejects.toMatchObject({ reason: 'closed' });
  late.resolve();
  await closing;
});
