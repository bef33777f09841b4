import { type Exchange, type Revision, revisions, SessionError } from '@tenon/mcp-protocol';
import { revision20250618, revision20251125, revision20260728 } from '@tenon/mcp-protocol/internal';
import { describe, expect, test, vi } from 'vitest';
import { shows, showsBy } from '../../../../tooling/suite/shows.js';
import { call, Held, modern, notification, Rig, type RigOptions, request } from '../../test/rig.js';

function server(held: Held, more: RigOptions = {}): Rig {
  return new Rig({ revision: revision20250618, ...more, requests: { 'tools/call': held.handle } });
}

const cancelled = (requestId: unknown, reason?: string) =>
  notification('notifications/cancelled', { requestId, ...(reason && { reason }) });

function sendIn(revision: Revision, id: unknown, params: object): object {
  return revision.lifecycle === 'stateless'
    ? modern(id, 'tools/call', params)
    : request(id, 'tools/call', params);
}

describe.each(revisions)('cancellation in $id', (revision) => {
  const settledIn = revision.lifecycle === 'handshake' ? { revision } : {};

  test('aborts the handler; nothing is sent for the request any more', async () => {
    showsBy(revision.id, {
      '2024-11-05': [
        '2024-11-05/basic/utilities/cancellation/stops',
        '2024-11-05/basic/utilities/cancellation/unanswered',
      ],
      '2026-07-28': [
        '2026-07-28/basic/patterns/cancellation/stop-processing',
        '2026-07-28/basic/patterns/cancellation/no-response',
        '2026-07-28/basic/transports/stdio/stop-work',
        '2026-07-28/basic/transports/stdio/silent-after-cancel',
      ],
    });
    const held = new Held();
    const rig = new Rig({ ...settledIn, requests: { 'tools/call': held.handle } });
    const answer = rig.deliver(sendIn(revision, 5, call({ progressToken: 't' })));
    const [incoming] = held.requests;
    const { signal } = incoming!;
    rig.hand(cancelled(5, 'no longer needed'));
    expect(signal.aborted).toBe(true);
    expect(signal.reason).toMatchObject({
      reason: 'cancelled',
      message: 'The peer cancelled tools/call: no longer needed',
    });
    void incoming?.progress(1);
    held.finish();
    expect(await answer).toBeUndefined();
    expect(rig.connection.sent).toEqual([]);
    expect(rig.endpoint.inFlight).toBe(0);
  });
});

describe('a cancelled request', () => {
  test('that fails is not answered and not reported', async () => {
    const held = new Held();
    const rig = server(held);
    const answer = rig.deliver(request(1, 'tools/call', call()));
    rig.hand(cancelled(1));
    held.fail(new Error('aborted'));
    expect(await answer).toBeUndefined();
    expect(rig.errors).toEqual([]);
  });

  test('gives its id free at once, for a request of its own', async () => {
    shows(
      '2024-11-05/basic/utilities/cancellation/frees',
      '2026-07-28/basic/patterns/cancellation/free-resources',
    );
    const held = new Held();
    const rig = server(held);
    const first = rig.ask(request(1, 'tools/call', call()));
    rig.hand(cancelled(1));
    const second = rig.ask(request(1, 'tools/call', call()));
    held.finish(0, { content: [{ type: 'text', text: 'first' }] });
    held.finish(1, { content: [{ type: 'text', text: 'second' }] });
    expect(await first).toBeUndefined();
    expect((await second).result?.content).toEqual([{ type: 'text', text: 'second' }]);
  });

  test('is the one that was named, of several', async () => {
    const held = new Held();
    const rig = server(held);
    const answers = [1, 2, 3].map((id) => rig.ask(request(id, 'tools/call', call())));
    rig.hand(cancelled(2));
    expect(held.requests.map((one) => one.cancelled)).toEqual([false, true, false]);
    for (const index of [0, 1, 2]) held.finish(index);
    expect((await Promise.all(answers)).map((one) => one?.id)).toEqual([1, undefined, 3]);
  });

  test('has an aborted signal, when that is looked at later as well', () => {
    const held = new Held();
    const rig = server(held);
    rig.hand(request(1, 'tools/call', call()));
    rig.hand(cancelled(1));
    expect(held.requests[0]?.signal.aborted).toBe(true);
  });

  test.each<[unknown, ...string[]]>([
    [
      99,
      '2024-11-05/basic/utilities/cancellation/unknown-ignored',
      '2026-07-28/basic/patterns/cancellation/ignore-unknown',
    ],
    ['1'],
    [1.5],
    [null],
    [{}, '2026-07-28/basic/patterns/cancellation/invalid-malformed'],
    [undefined],
  ])('is none when the id is %j', async (id, ...ids) => {
    shows(...ids);
    const held = new Held();
    const rig = server(held);
    const answer = rig.ask(request(1, 'tools/call', call()));
    expect(rig.deliver(cancelled(id))).toBeUndefined();
    expect(held.requests[0]?.cancelled).toBe(false);
    held.finish();
    expect((await answer).result).toBeDefined();
  });

  test('is none once it is answered', async () => {
    shows(
      '2024-11-05/basic/utilities/cancellation/done-ignored',
      '2024-11-05/basic/utilities/cancellation/races',
      '2026-07-28/basic/patterns/cancellation/ignore-completed',
      '2026-07-28/basic/patterns/cancellation/races',
      '2026-07-28/basic/patterns/cancellation/invalid-completed',
    );
    const held = new Held();
    const rig = server(held);
    const answer = rig.ask(request(1, 'tools/call', call()));
    held.finish();
    await answer;
    rig.hand(cancelled(1));
    expect(held.requests[0]?.signal.aborted).toBe(false);
  });

  test('is never initialize', async () => {
    shows(
      '2024-11-05/basic/utilities/cancellation/uncancellable-ignored',
      '2026-07-28/basic/patterns/cancellation/ignore-uncancellable',
    );
    const held = new Held();
    const rig = new Rig({ requests: { initialize: held.handle } });
    const params = {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'c', version: '1' },
    };
    const answer = rig.ask(request(1, 'initialize', params));
    rig.hand(cancelled(1));
    held.finish(0, {
      protocolVersion: '2025-06-18',
      capabilities: {},
      serverInfo: { name: 's', version: '1' },
    });
    expect((await answer).result).toMatchObject({ protocolVersion: '2025-06-18' });
  });

  test('of a server is dropped by its client', async () => {
    const held = new Held();
    const rig = new Rig({
      side: 'client',
      revision: revision20250618,
      requests: { 'roots/list': held.handle },
    });
    const answer = rig.deliver(request(1, 'roots/list'));
    rig.hand(cancelled(1));
    held.finish(0, { roots: [] });
    expect(await answer).toBeUndefined();
  });
});

describe('an exchange that ends', () => {
  const exchangeOf = (rig: Rig, signal: AbortSignal): Exchange => ({
    facts: { principal: { id: 'someone' } },
    signal,
    send: (frame) => rig.connection.send(frame),
  });

  test('cancels its request, and no listener stays on its signal', async () => {
    shows('2026-07-28/basic/patterns/cancellation/free-resources');
    const held = new Held();
    const rig = server(held);
    const ended = new AbortController();
    const exchange = exchangeOf(rig, ended.signal);
    const gone = rig.endpoint.receive(request(1, 'tools/call', call()), exchange);
    const [incoming] = held.requests;
    expect(incoming?.principal).toEqual({ id: 'someone' });
    const { signal } = incoming!;
    ended.abort(new Error('socket closed'));
    expect(signal.reason).toEqual(new Error('socket closed'));
    held.finish();
    expect(await gone).toBeUndefined();
  });

  test('after the answer cancels nothing', async () => {
    shows('2026-07-28/basic/patterns/cancellation/races');
    const held = new Held();
    const rig = server(held);
    const ended = new AbortController();
    const answer = rig.endpoint.receive(request(1, 'tools/call', call()), exchangeOf(rig, ended.signal));
    const { signal } = held.requests[0]!;
    const removed = vi.spyOn(ended.signal, 'removeEventListener');
    held.finish();
    await answer;
    expect(removed).toHaveBeenCalledTimes(1);
    ended.abort();
    expect(signal.aborted).toBe(false);
  });
});

test('a notification the revision does not have is not sent', () => {
  shows('2024-11-05/basic/lifecycle/respect-version');
  const held = new Held();
  const rig = server(held);
  rig.hand(request(1, 'tools/call', call()));
  const params = { notifications: {} } as never;
  expect(held.requests[0]?.notify('notifications/subscriptions/acknowledged', params)).toBeUndefined();
  expect(rig.connection.sent).toEqual([]);
});

test('only keys that were sent are found in _meta', () => {
  shows('2026-07-28/basic/index/meta-reserved-no-assumptions');
  const held = new Held();
  const rig = server(held);
  rig.hand(request(1, 'tools/call', call({ traceparent: '00-a-b-01' })));
  const [incoming] = held.requests;
  expect(incoming?.meta('traceparent')).toBe('00-a-b-01');
  expect(incoming?.meta('constructor')).toBeUndefined();
});

describe('an input request to the peer', () => {
  test('goes where the request is answered, and ends with it when it is cancelled', async () => {
    const held = new Held();
    const rig = server(held);
    const frames: string[] = [];
    const exchange: Exchange = { facts: {}, send: (frame) => void frames.push(frame) };
    void rig.endpoint.receive(request(1, 'tools/call', call()), exchange);
    const answer = held.requests[0]!.ask('roots/list', {});
    expect(JSON.parse(frames[0]!)).toEqual({ jsonrpc: '2.0', id: 1, method: 'roots/list' });
    rig.hand(cancelled(1));
    await expect(answer).rejects.toMatchObject({ reason: 'cancelled' });
    expect(JSON.parse(frames[1]!)).toMatchObject({
      method: 'notifications/cancelled',
      params: { requestId: 1 },
    });
    expect(rig.connection.sent).toEqual([]);
  });

  test('may have a signal of its own, and still ends with the request', async () => {
    const held = new Held();
    const rig = server(held);
    rig.hand(request(1, 'tools/call', call()));
    const own = new AbortController();
    const [incoming] = held.requests;
    const first = incoming!.ask('roots/list', {}, { signal: own.signal });
    const second = incoming!.ask('roots/list', {}, { signal: new AbortController().signal });
    own.abort();
    await expect(first).rejects.toMatchObject({ reason: 'cancelled' });
    rig.hand(cancelled(1));
    await expect(second).rejects.toMatchObject({ reason: 'cancelled' });
  });

  test('is refused where there is no session, or the request is answered', async () => {
    const held = new Held();
    const rig = server(held, { revision: revision20251125 });
    rig.hand(modern(1, 'tools/call', call()));
    await expect(held.requests[0]!.ask('roots/list', {})).rejects.toMatchObject({
      reason: 'not-in-revision',
      message: 'roots/list cannot be sent here: the revision in use (2026-07-28) does not have it.',
    });
    const answer = rig.ask(request(2, 'tools/call', call()));
    held.finish(1);
    await answer;
    await expect(held.requests[1]!.ask('roots/list', {})).rejects.toMatchObject({ reason: 'closed' });
    expect(rig.connection.sent).toEqual([]);
  });

  test('that is lost with the peer leaves nothing unhandled', async () => {
    const held = new Held();
    const rig = server(held);
    rig.hand(request(1, 'tools/call', call()));
    const answer = held.requests[0]!.ask('roots/list', {});
    rig.endpoint.closed(new Error('gone'));
    await expect(answer).rejects.toBeInstanceOf(SessionError);
  });
});

test('a stateless request on a session is not stopped by the id of a session request', async () => {
  const held = new Held();
  const rig = server(held);
  rig.hand(modern('a', 'tools/call', call()));
  expect(held.requests[0]?.revision).toBe(revision20260728);
  rig.hand(cancelled('b'));
  expect(held.requests[0]?.cancelled).toBe(false);
  rig.hand(cancelled('a'));
  expect(held.requests[0]?.cancelled).toBe(true);
});
