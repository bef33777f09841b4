import { otherBounds } from '@tenon/foundation';
import type { Exchange } from '@tenon/mcp-protocol';
import { describe, expect, it } from 'vitest';
import { shows } from '../../../../../tooling/suite/shows.js';
import { settled } from '../../../../testing/src/fake-clock.js';
import { result } from '../../../test/fake-application.js';
import type { FakeCall } from '../../../test/fake-call.js';
import { FakeService, request } from '../../../test/fake-service.js';
import { SlowEventStore } from '../../../test/fake-stores.js';
import type { HttpOptions } from '../http-options.js';
import type { EventStore } from '../streams/event-store.js';
import { MemoryEventStore } from '../streams/memory-event-store.js';

const progress = (n: number) => JSON.stringify({ jsonrpc: '2.0', method: 'progress', params: { n } });
const messagesOf = (call: FakeCall) =>
  call.messages.map(({ method, id, params }) => params?.n ?? method ?? id);

/** A session with tool calls that tests answer. */
function playing(options: HttpOptions = {}, revision?: string, events?: EventStore) {
  const host = new FakeService(options, undefined, events);
  const session = host.open(revision);
  const calls: { readonly exchange: Exchange; readonly finish: (frame?: string) => void }[] = [];
  host.application.play = (value, exchange) =>
    value.method === 'tools/call'
      ? new Promise((resolve) => calls.push({ exchange, finish: (frame = result(value)) => resolve(frame) }))
      : undefined;
  const tool = (id: number) => host.post(request(id, 'tools/call'), session);
  const tell = (n: number) => host.application.last.tell('changed', { n });
  const resume = (id: string) => host.get({ ...session, 'last-event-id': id });
  return { host, session, calls, tool, tell, resume };
}

describe('the stream of a GET', () => {
  it('sends messages that belong to no request, with ids', () => {
    shows('2025-03-26/streamable-http/unrelated-messages');
    const { host, session, tell } = playing();
    const stream = host.get(session);
    tell(1);
    tell(2);
    expect(stream.sent).toMatchObject({ 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' });
    expect(stream.events[0]).toEqual({ id: '0.0', retry: 1_000, data: '' });
    expect(stream.events.slice(1).map(({ id }) => id)).toEqual(['0.1', '0.2']);
    expect(messagesOf(stream)).toEqual([1, 2]);
  });

  it('delivers messages that were sent before it was opened', async () => {
    const { host, session, tell } = playing();
    tell(1);
    tell(2);
    const stream = host.get(session);
    await settled();
    tell(3);
    expect(messagesOf(stream)).toEqual([1, 2, 3]);
  });

  it('is replaced by a second one, which receives later messages', () => {
    shows('2025-03-26/streamable-http/one-stream-each');
    const { host, session, tell } = playing();
    const first = host.get(session);
    tell(1);
    const second = host.get(session);
    tell(2);
    expect(first.closed).toBe(true);
    expect([messagesOf(first), messagesOf(second)]).toEqual([[1], [2]]);
  });

  it('is not taken over by a client that has disconnected', async () => {
    const events = new SlowEventStore();
    const { host, session, tell, resume } = playing({}, undefined, events);
    tell(1);
    tell(2);
    await events.run();
    const early = resume('0.1');
    early.leave();
    const late = host.get(session);
    await events.run();
    tell(3);
    await events.run();
    expect(late.closed).toBe(false);
    expect(messagesOf(late)).toEqual([1, 2, 3]);
  });

  it('waits for the client to resume', async () => {
    const { host, session, tell, resume } = playing();
    const first = host.get(session);
    tell(1);
    first.leave();
    tell(2);
    tell(3);
    const second = resume('0.1');
    await settled();
    tell(4);
    expect(messagesOf(second)).toEqual([2, 3, 4]);
    expect(second.events[0]?.id).toBe('0.2');
  });

  it('sends a comment while it is quiet', async () => {
    const { host, session, tell } = playing({ limits: { keepAlive: 100 } });
    const stream = host.get(session);
    await host.clock.advance(50);
    tell(1);
    await host.clock.advance(50);
    expect(stream.events.filter((event) => event.comment)).toHaveLength(0);
    await host.clock.advance(50);
    expect(stream.events.filter((event) => event.comment)).toHaveLength(1);
  });

  it('needs an Accept header for event streams', () => {
    const { host, session } = playing();
    const call = host.get({ ...session, accept: 'application/json' });
    expect(call).toMatchObject({ status: 406 });
  });
});

describe('the stream of a POST', () => {
  it('sends the messages of the request, then the answer, and ends', async () => {
    const { host, session, calls, tool, tell } = playing();
    const standalone = host.get(session);
    const call = tool(7);
    expect(call.status).toBeUndefined();
    void calls[0]?.exchange.send(progress(1));
    tell(9);
    calls[0]?.finish();
    await call.done();
    expect(call.events[0]).toEqual({ id: '1.0', retry: 1_000, data: '' });
    expect(messagesOf(call)).toEqual([1, 7]);
    expect(messagesOf(standalone)).toEqual([9]);
  });

  it('has ids that no other stream of the session has', async () => {
    shows('2025-03-26/streamable-http/several-streams');
    const { calls, tool } = playing();
    const [first, second] = [tool(1), tool(2)];
    void calls[1]?.exchange.send(progress(20));
    void calls[0]?.exchange.send(progress(10));
    calls[1]?.finish();
    calls[0]?.finish();
    await first.done();
    await second.done();
    expect([messagesOf(first), messagesOf(second)]).toEqual([
      [10, 1],
      [20, 2],
    ]);
    const ids = [...first.events, ...second.events].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('has ids but no priming event in a revision without it', async () => {
    const { calls, tool } = playing({}, '2025-03-26');
    const call = tool(1);
    void calls[0]?.exchange.send(progress(1));
    expect(call.events).toEqual([{ id: '1.1', data: progress(1) }]);
  });

  it('starts when an answer takes long, so that the client has an id to resume from', async () => {
    const { host, calls, tool } = playing({ limits: { keepAlive: 100, ...otherBounds({ retry: 250 }) } });
    const call = tool(1);
    await host.clock.advance(100);
    expect(call.events).toEqual([{ id: '1.0', retry: 250, data: '' }]);
    calls[0]?.finish();
    await call.done();
    expect(messagesOf(call)).toEqual([1]);
  });

  it('is kept alive once in an interval, if it is quiet', async () => {
    const { host, calls, tool } = playing({ limits: { keepAlive: 100 } });
    const call = tool(1);
    for (let step = 1; step <= 4; step++) {
      void calls[0]?.exchange.send(progress(step));
      await host.clock.advance(50);
    }
    expect(call.events.filter((event) => event.comment)).toHaveLength(0);
    await host.clock.advance(200);
    expect(call.events.filter((event) => event.comment).length).toBeLessThanOrEqual(4);
  });

  it('ends without an answer if the request was cancelled', async () => {
    const { host, session } = playing();
    host.application.play = async () => undefined;
    const call = host.post(request(1, 'tools/call'), session);
    await call.done();
    expect(call).toMatchObject({ status: 200, messages: [] });
  });
});

describe('a broken connection', () => {
  it('cancels nothing, and the client can resume for the rest, the answer last', async () => {
    shows('2025-03-26/streamable-http/no-responses');
    const { host, session, calls, tool, resume } = playing();
    const call = tool(7);
    void calls[0]?.exchange.send(progress(1));
    call.leave();
    expect(calls[0]?.exchange.signal).toBeUndefined();
    void calls[0]?.exchange.send(progress(2));
    const second = resume('1.1');
    await settled();
    void calls[0]?.exchange.send(progress(3));
    second.leave();
    void calls[0]?.exchange.send(progress(4));
    calls[0]?.finish();
    await settled();
    const third = resume('1.3');
    await third.done();
    expect([messagesOf(second), messagesOf(third)]).toEqual([
      [2, 3],
      [4, 7],
    ]);
    expect(host.get(session).events.length).toBe(1);
  });

  it('can be released by the server, with a wait before resuming', async () => {
    const { calls, tool, resume } = playing({ limits: otherBounds({ retry: 500 }) });
    const call = tool(7);
    calls[0]?.exchange.release?.(40.4);
    expect(call.closed).toBe(true);
    expect(call.events).toEqual([{ id: '1.0', retry: 500, data: '' }, { retry: 40 }]);
    calls[0]?.finish();
    await settled();
    const rest = await resume('1.0').done();
    expect(messagesOf(rest)).toEqual([7]);
  });

  it('is not released if the client could not resume', async () => {
    const { calls, tool } = playing({}, '2025-06-18');
    const call = tool(7);
    calls[0]?.exchange.release?.(40);
    expect(call.closed).toBe(false);
    calls[0]?.finish();
    await call.done();
    expect(messagesOf(call)).toEqual([7]);
  });

  it('can be resumed whole from any event', async () => {
    const { calls, tool, resume } = playing();
    const call = tool(7);
    for (const n of [1, 2, 3]) void calls[0]?.exchange.send(progress(n));
    calls[0]?.finish();
    await call.done();
    for (const [place, rest] of [
      ['1.0', [1, 2, 3, 7]],
      ['1.2', [3, 7]],
      ['1.4', []],
    ] as const) {
      const again = resume(place);
      await again.done();
      expect(messagesOf(again)).toEqual(rest);
    }
  });

  it('moves the stream to the latest connection of the client', async () => {
    shows('2025-03-26/streamable-http/one-stream-each');
    const { calls, tool, resume } = playing();
    const call = tool(7);
    void calls[0]?.exchange.send(progress(1));
    const second = resume('1.1');
    const third = resume('1.0');
    await settled();
    expect([call.closed, second.closed, third.closed]).toEqual([true, true, false]);
    calls[0]?.finish();
    await third.done();
    expect(messagesOf(third)).toEqual([1, 7]);
  });
});

describe('a forged Last-Event-ID', () => {
  it.each(['', 'x', '1', '1.', '.1', '1.1.1', '-1.0', '1e1.0', ' 1.0', '9.0', '1.99', '0.1', `${2 ** 60}.0`])(
    'is rejected: %j',
    async (id) => {
      const { calls, tool, resume } = playing();
      tool(7);
      void calls[0]?.exchange.send(progress(1));
      const call = resume(id);
      await settled();
      expect(call).toMatchObject({ status: 400, streaming: false });
    },
  );

  it('returns nothing of another session', async () => {
    const { host, calls, tool } = playing();
    const call = tool(7);
    void calls[0]?.exchange.send(progress(1));
    calls[0]?.finish();
    await call.done();
    const other = host.open();
    const stolen = host.get({ ...other, 'last-event-id': '1.0' });
    await settled();
    expect(stolen).toMatchObject({ status: 400, streaming: false });
    expect(stolen.text).not.toContain('progress');
  });

  it('is ignored in a revision without resuming', async () => {
    const { host, session, tell } = playing({}, '2024-11-05');
    const stream = host.get({ ...session, 'last-event-id': 'garbage' });
    tell(1);
    expect(stream.events).toEqual([{ data: expect.any(String) }]);
  });
});

describe('dropped events', () => {
  const events = () => new MemoryEventStore({ perSession: 3 });

  it('cannot be resumed: the client would take a part for the whole', async () => {
    const { calls, tool, resume } = playing({}, undefined, events());
    const call = tool(7);
    for (const n of [1, 2, 3, 4, 5]) void calls[0]?.exchange.send(progress(n));
    call.leave();
    const tooLate = resume('1.1');
    const inTime = resume('1.2');
    await settled();
    expect(tooLate).toMatchObject({
      status: 400,
      json: { error: { message: expect.stringContaining('Last-Event-ID') } },
    });
    expect(messagesOf(inTime)).toEqual([3, 4, 5]);
  });

  it('are skipped if a client opens its stream late', async () => {
    const { host, session, tell } = playing({}, undefined, events());
    for (const n of [1, 2, 3, 4, 5]) tell(n);
    const stream = host.get(session);
    await settled();
    tell(6);
    expect(stream.closed).toBe(false);
    expect(messagesOf(stream).at(-1)).toBe(6);
  });
});

describe('JSON only', () => {
  it('does not offer GET to other methods', () => {
    const { host, session } = playing({ sessions: { jsonOnly: true } });
    const call = host.call({ method: 'PUT', headers: session });
    expect(call).toMatchObject({ status: 405, sent: { allow: 'POST, DELETE' } });
  });

  it('answers with one body, rejects GET, and reports that nothing else is sent', async () => {
    const { host, session, calls, tool, tell } = playing({
      sessions: { jsonOnly: true },
      limits: { keepAlive: 10 },
    });
    const call = tool(7);
    expect(calls[0]?.exchange.facts.answersOnly).toBe(true);
    expect(calls[0]?.exchange.send(progress(1))).toBeUndefined();
    calls[0]?.exchange.release?.(1);
    await host.clock.advance(1_000);
    tell(1);
    expect(call.status).toBeUndefined();
    calls[0]?.finish();
    await call.done();
    expect(call).toMatchObject({ streaming: false, json: { id: 7 } });
    expect(host.get(session)).toMatchObject({ status: 405, sent: { allow: 'POST, DELETE' } });
    expect(host.delete(session).status).toBe(204);
  });
});
