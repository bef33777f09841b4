import type { Exchange } from '@tenon/mcp-protocol';
import { describe, expect, it } from 'vitest';
import { settled } from '../../../../testing/src/fake-clock.js';
import { result } from '../../../test/fake-application.js';
import { FakeCall } from '../../../test/fake-call.js';
import { FakeService, request } from '../../../test/fake-service.js';
import type { EventStore, StoredEvent, StreamKey } from './event-store.js';
import { EventStream, replayPiece } from './event-stream.js';
import { MemoryEventStore } from './memory-event-store.js';

const size = 100_000;
const progress = (n: number) =>
  JSON.stringify({ jsonrpc: '2.0', method: 'progress', params: { n, text: 'x'.repeat(size) } });
const numbersOf = (call: FakeCall) => call.messages.map(({ params, id }) => params?.n ?? id);

/** A store that records how much it returns at once. */
class NotedStore implements EventStore {
  readonly kept = new MemoryEventStore();
  readonly given: number[] = [];

  append(key: StreamKey, event: StoredEvent): void {
    this.kept.append(key, event);
  }

  after(...asked: Parameters<EventStore['after']>): readonly StoredEvent[] | undefined {
    const events = this.kept.after(...(asked as Parameters<MemoryEventStore['after']>));
    this.given.push(events?.length ?? -1);
    return events;
  }

  forget(session: string): void {
    this.kept.forget(session);
  }
}

/** A session with a call and its ended stream of this many messages. */
async function ended(messages: number) {
  const events = new NotedStore();
  const host = new FakeService({}, undefined, events);
  const session = host.open();
  let exchange: Exchange | undefined;
  let finish = () => {};
  host.application.play = (value, given) => {
    exchange = given;
    return new Promise((resolve) => (finish = () => resolve(result(value))));
  };
  const posted = host.post(request(1, 'tools/call'), session);
  for (let n = 1; n <= messages; n++) void exchange?.send(progress(n));
  finish();
  await posted.done();
  const resume = (id: string, prepare: (call: FakeCall) => void = () => {}) => {
    const call = new FakeCall({
      method: 'GET',
      headers: { accept: 'text/event-stream', ...session, 'last-event-id': id },
    });
    prepare(call);
    host.service.handle(call, undefined);
    return call;
  };
  return { events, host, session, resume };
}

describe('the rest of an ended stream', () => {
  it('is read from the store in chunks, and arrives whole', async () => {
    const { events, resume } = await ended(12);
    const call = await resume('1.2').done();
    expect(numbersOf(call)).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 1]);
    expect(Math.max(...events.given)).toBeLessThanOrEqual(Math.ceil(replayPiece / size));
    expect(events.given.reduce((sum, count) => sum + count, 0)).toBe(11);
  });

  it('is written no faster than it is read', async () => {
    const { events, resume } = await ended(12);
    let read = () => {};
    const call = resume('1.0', (one) => (one.patience = new Promise((resolve) => (read = resolve))));
    await settled();
    expect([numbersOf(call), events.given.length]).toEqual([[1], 1]);
    call.patience = undefined;
    read();
    await call.done();
    expect(numbersOf(call)).toHaveLength(13);
  });

  it('is read no further after its client disconnected', async () => {
    const { events, resume } = await ended(12);
    let open = () => {};
    const call = resume('1.0', (one) => (one.patience = new Promise((resolve) => (open = resolve))));
    await settled();
    call.leave();
    open();
    await settled();
    expect([numbersOf(call), events.given.length]).toEqual([[1], 1]);
  });

  it('ends with the session', async () => {
    const { host, session, resume } = await ended(12);
    let open = () => {};
    const call = resume('1.0', (one) => (one.patience = new Promise((resolve) => (open = resolve))));
    await settled();
    host.delete(session);
    open();
    await call.done();
    expect(numbersOf(call)).toEqual([1]);
  });

  it('ends if the store has dropped the next events: a part must not look like the whole', async () => {
    const { events, session, resume } = await ended(12);
    let open = () => {};
    const call = resume('1.0', (one) => (one.patience = new Promise((resolve) => (open = resolve))));
    await settled();
    const id = session['mcp-session-id'] as string;
    for (let n = 1; n <= 1_024; n++) events.append({ session: id, stream: 99 }, { sequence: n, frame: '{}' });
    call.patience = undefined;
    open();
    await call.done();
    expect(numbersOf(call)).toEqual([1, 2, 3]);
  });
});

it('reads missed events of an open stream in chunks', async () => {
  const store = new NotedStore();
  const stream = new EventStream(
    { session: 's', stream: 1 },
    {
      store,
      resumable: true,
      primed: false,
      retry: 1,
      onError: (error) => expect.fail(String(error)),
      onEnded: () => {},
    },
  );
  for (let n = 1; n <= 12; n++) void stream.send(progress(n));
  const call = new FakeCall();
  stream.attach(call, 0);
  await settled();
  expect(numbersOf(call)).toHaveLength(12);
  expect(Math.max(...store.given)).toBeLessThanOrEqual(Math.ceil(replayPiece / size));
});

describe('MemoryEventStore', () => {
  it('returns a limited number of characters at once, and at least one event', () => {
    const store = new MemoryEventStore();
    const key = { session: 's', stream: 1 };
    for (let n = 1; n <= 4; n++) store.append(key, { sequence: n, frame: 'x'.repeat(10) });
    const count = (sequence: number, characters?: number) => store.after(key, sequence, characters)?.length;
    expect([count(0, 1), count(0, 20), count(0, 21), count(2, 100), count(4, 1), count(0)]).toEqual([
      1, 2, 3, 2, 0, 4,
    ]);
  });
});
