import { type Exchange, revisions } from '@tenon/mcp-protocol';
import { revision20251125, revision20260728 } from '@tenon/mcp-protocol/internal';
import { describe, expect, test } from 'vitest';
import { shows, showsBy } from '../../../../tooling/suite/shows.js';
import { settled } from '../../../testing/src/fake-clock.js';
import { call, Held, modern, notification, Rig, type RigOptions, request } from '../../test/rig.js';
import type { Cancelled } from '../requests/behaviour.js';
import { describeCancelled } from './cancelled-requests.js';

const cancel = (requestId: unknown, reason?: string) =>
  notification('notifications/cancelled', { requestId, ...(reason !== undefined && { reason }) });

function listening(options: RigOptions = {}) {
  const heard: Cancelled[] = [];
  const held = new Held();
  const requests = { 'tools/call': held.handle };
  const onCancelled = (one: Cancelled) => void heard.push(one);
  const rig = new Rig({ revision: revision20251125, onCancelled, ...options, requests });
  return { rig, heard, held };
}

describe.each(revisions)('in $id', (revision) => {
  const settledIn = revision.lifecycle === 'handshake' ? { revision } : {};
  const send = revision.lifecycle === 'handshake' ? request : modern;

  test('the owner of an end receives the cancelled id and the reason', () => {
    showsBy(revision.id, { '2024-11-05': '2024-11-05/basic/utilities/cancellation/reasons-logged' });
    const { rig, heard } = listening(settledIn);
    rig.hand(send(7, 'tools/call', call()));
    rig.hand(cancel(7, 'The user went away'));
    expect(heard).toEqual([{ id: 7, method: 'tools/call', name: 'x', reason: 'The user went away' }]);
  });

  test('a cancellation of what is unknown or done is ignored', async () => {
    showsBy(revision.id, { '2025-03-26': '2025-03-26/cancellation/ignored' });
    const { rig, heard, held } = listening(settledIn);
    const done = rig.ask(send(1, 'tools/call', call()));
    held.finish();
    await done;
    const running = rig.ask(send(2, 'tools/call', call()));
    for (const id of [1, 99, 'x']) expect(rig.deliver(cancel(id, 'too late'))).toBeUndefined();
    expect([heard, rig.errors, rig.connection.sent, rig.connection.closes]).toEqual([[], [], [], 0]);
    expect(held.requests.map((one) => one.cancelled)).toEqual([false, false]);
    held.finish(1);
    expect((await running).result).toBeDefined();
  });

  test('a cancelled call leaves no entry, listener, timer or input request behind', async () => {
    showsBy(revision.id, { '2024-11-05': '2024-11-05/basic/utilities/cancellation/frees' });
    const { rig, held } = listening({ ...settledIn, handling: { time: 1_000 } });
    const counted = countedExchange();
    void rig.endpoint.receive(send(1, 'tools/call', call()), counted.exchange);
    const [incoming] = held.requests;
    expect([incoming?.signal.aborted, counted.listeners()]).toEqual([false, 1]);
    const reason = revision.rules.inputRequestMode === 'request' ? 'cancelled' : 'not-in-revision';
    const asked = expect(incoming?.ask('ping', {})).rejects.toMatchObject({ reason });
    rig.hand(cancel(1));
    await settled();
    expect(incoming?.signal.aborted).toBe(true);
    expect([counted.listeners(), rig.endpoint.pending]).toEqual([0, 0]);
    await asked;
    held.finish();
    await settled();
    expect(rig.endpoint.inFlight).toBe(0);
    expect(rig.behaviour.handling?.deadlines.size).toBe(0);
    await rig.endpoint.close();
    await rig.clock.advance(100);
    expect(rig.clock.waiting).toEqual([]);
  });
});

test('ignores the cancellation of a request that is not in flight', async () => {
  const { rig, heard, held } = listening();
  rig.hand(cancel(1, 'never sent'));
  const answer = rig.deliver(request(2, 'tools/call', call()));
  held.finish();
  await answer;
  rig.hand(cancel(2, 'too late'));
  rig.hand(cancel('2', 'of another type'));
  expect(heard).toEqual([]);
});

test('what a client says is one line of bounded length', () => {
  const { rig, heard } = listening();
  rig.hand(request('a\nb', 'tools/call', { name: 'x\u0000\n[tenon] forged' }));
  rig.hand(cancel('a\nb', `\u001b[31mred\r\n\u202eforged\u2028${'y'.repeat(10_000)}`));
  const [one] = heard;
  expect(one?.name).toBe('x [tenon] forged');
  expect(one?.reason).toMatch(/^\[31mred forged y+$/);
  expect(one?.reason?.length).toBeLessThanOrEqual(200);
  expect(describeCancelled(one as Cancelled)).toMatch(
    /^The peer cancelled tools\/call of x \[tenon\] forged \(id a b\): \[31mred forged y+$/,
  );
});

test.each([
  [undefined, 'The peer cancelled tools/call of x (id 1).'],
  ['', 'The peer cancelled tools/call of x (id 1).'],
  ['enough', 'The peer cancelled tools/call of x (id 1): enough'],
])('reports the cancellation reason %j unchanged', (reason, reported) => {
  const { rig, heard } = listening();
  rig.hand(request(1, 'tools/call', call()));
  rig.hand(cancel(1, reason));
  expect(heard.map(describeCancelled)).toEqual([reported]);
});

test('a listener that throws is reported, and the request cancelled all the same', () => {
  const held = new Held();
  const rig = new Rig({
    revision: revision20251125,
    requests: { 'tools/call': held.handle },
    onCancelled: () => {
      throw new Error('full disk');
    },
  });
  rig.hand(request(1, 'tools/call', call()));
  rig.hand(cancel(1));
  expect(held.requests[0]?.cancelled).toBe(true);
  expect(rig.errors).toMatchObject([{ error: { message: 'full disk' }, where: 'onCancelled' }]);
});

test('notifies a client when its server cancels an input request', () => {
  shows('2024-11-05/basic/utilities/cancellation/reasons-logged');
  const held = new Held();
  const heard: Cancelled[] = [];
  const rig = new Rig({
    side: 'client',
    revision: revision20251125,
    requests: { 'sampling/createMessage': held.handle },
    onCancelled: (one) => void heard.push(one),
  });
  rig.hand(request(1, 'sampling/createMessage', { messages: [], maxTokens: 1 }));
  rig.hand(cancel(1, 'The call was stopped'));
  expect(heard).toEqual([{ id: 1, method: 'sampling/createMessage', reason: 'The call was stopped' }]);
});

test('does not notify a client of cancelled requests in 2026-07-28', () => {
  const { rig, heard } = listening({ side: 'client', revision: revision20260728 });
  rig.hand(cancel(1, 'The stream ends'));
  expect(heard).toEqual([]);
});

/** An exchange with a signal that counts its listeners. */
function countedExchange(): { exchange: Exchange; listeners: () => number } {
  const { signal } = new AbortController();
  let listeners = 0;
  const { addEventListener, removeEventListener } = signal;
  signal.addEventListener = (...given: unknown[]) => {
    listeners++;
    Reflect.apply(addEventListener, signal, given);
  };
  signal.removeEventListener = (...given: unknown[]) => {
    listeners--;
    Reflect.apply(removeEventListener, signal, given);
  };
  return { exchange: { facts: {}, signal, send: () => undefined }, listeners: () => listeners };
}
