import { describe, expect, it } from 'vitest';
import { settled } from '../../../../testing/src/fake-clock.js';
import { FakeCall } from '../../../test/fake-call.js';
import { BrokenEventStore, SlowEventStore } from '../../../test/fake-stores.js';
import type { EventStore } from './event-store.js';
import { EventStream, StreamTakenError } from './event-stream.js';
import { MemoryEventStore } from './memory-event-store.js';

function streaming(store: EventStore = new MemoryEventStore()) {
  const errors: unknown[] = [];
  const ended: EventStream[] = [];
  const settings = {
    store,
    resumable: true,
    primed: false,
    retry: 1_000,
    onError: (error: unknown) => void errors.push(error),
    onEnded: (one: EventStream) => void ended.push(one),
  };
  const stream = new EventStream({ session: 's', stream: 3 }, settings);
  const attach = (from?: number): FakeCall => {
    const call = new FakeCall();
    stream.attach(call, from);
    return call;
  };
  return { stream, attach, errors, ended };
}

const frame = (n: number) => `{"n":${n}}`;
const numbers = (call: FakeCall) => call.messages.map((message) => (message as { n?: number }).n);

describe('a slow store', () => {
  it('keeps the order, each message once', async () => {
    const store = new SlowEventStore();
    const { stream, attach, ended } = streaming(store);
    const call = attach();
    for (const n of [1, 2, 3]) void stream.send(frame(n));
    expect(call.text).toBe('');
    await store.step();
    void stream.send(frame(4));
    stream.finish(frame(5));
    expect(call.closed).toBe(false);
    await store.run();
    expect(numbers(call)).toEqual([1, 2, 3, 4, 5]);
    expect(call.events.map(({ id }) => id)).toEqual(['3.1', '3.2', '3.3', '3.4', '3.5']);
    expect(call.closed).toBe(true);
    expect(ended).toHaveLength(1);
  });

  it('can be resumed from while it stores an event', async () => {
    const store = new SlowEventStore();
    const { stream, attach } = streaming(store);
    const first = attach();
    void stream.send(frame(1));
    await store.run();
    void stream.send(frame(2));
    void stream.send(frame(3));
    await store.step();
    first.leave();
    const second = attach(1);
    void stream.send(frame(4));
    await store.run();
    stream.finish(frame(5));
    await store.run();
    expect(numbers(first)).toEqual([1, 2]);
    expect(numbers(second)).toEqual([2, 3, 4, 5]);
    expect(second.closed).toBe(true);
  });

  it('can be resumed from while it reads later events and the client changes its connection', async () => {
    const store = new SlowEventStore();
    const { stream, attach } = streaming(store);
    for (const n of [1, 2, 3]) void stream.send(frame(n));
    await store.run();
    const first = attach(0);
    const second = attach(2);
    await store.run();
    void stream.send(frame(4));
    await store.run();
    expect(numbers(first)).toEqual([]);
    expect(numbers(second)).toEqual([3, 4]);
  });

  it('makes the sender wait', async () => {
    const store = new SlowEventStore();
    const { stream, attach } = streaming(store);
    attach();
    const patience = stream.send(frame(1));
    expect(patience).toBeInstanceOf(Promise);
    await store.run();
    await patience;
  });
});

describe('a message sent while older ones are read', () => {
  it.each(Array.from({ length: 12 }, (_, turns) => turns))('follows them, %i turns later', async (turns) => {
    const { stream, attach } = streaming();
    void stream.send(frame(1));
    const call = attach(0);
    for (let turn = 0; turn < turns; turn++) await Promise.resolve();
    void stream.send(frame(2));
    await settled();
    void stream.send(frame(3));
    await settled();
    expect(numbers(call)).toEqual([1, 2, 3]);
    stream.finish(frame(4));
    await settled();
    expect(numbers(call)).toEqual([1, 2, 3, 4]);
    expect(call.closed).toBe(true);
  });
});

describe('a client that reads slowly', () => {
  it('makes the sender wait', () => {
    const { stream, attach } = streaming();
    const call = attach();
    call.patience = Promise.resolve();
    expect(stream.send(frame(1))).toBe(call.patience);
    call.patience = undefined;
    expect(stream.send(frame(2))).toBeUndefined();
  });

  it('receives stored events no faster than it reads', async () => {
    const { stream, attach } = streaming();
    for (const n of [1, 2, 3]) void stream.send(frame(n));
    let read = () => {};
    const call = new FakeCall();
    call.patience = new Promise((resolve) => (read = resolve));
    stream.attach(call, 0);
    await settled();
    expect(numbers(call)).toEqual([1]);
    call.patience = undefined;
    read();
    await settled();
    expect(numbers(call)).toEqual([1, 2, 3]);

    call.leave();
    const next = attach(1);
    await settled();
    expect(numbers(next)).toEqual([2, 3]);
  });

  it('can change its connection while it is behind', async () => {
    const { stream, attach } = streaming();
    for (const n of [1, 2, 3]) void stream.send(frame(n));
    let read = () => {};
    const first = new FakeCall();
    first.patience = new Promise((resolve) => (read = resolve));
    stream.attach(first, 0);
    await settled();
    const second = attach(1);
    read();
    await settled();
    expect([numbers(first), numbers(second)]).toEqual([[1], [2, 3]]);
  });
});

describe('a store that fails', () => {
  it('because another process has the rest: ends the connection, and reports nothing', async () => {
    const store = new MemoryEventStore();
    store.append = () => Promise.reject(new StreamTakenError('taken')) as never;
    const { stream, attach, errors } = streaming(store);
    const call = attach();
    void stream.send(frame(1));
    await settled();
    expect([call.closed, numbers(call), errors]).toEqual([true, [], []]);
  });

  it.each([true, false])('on append: still sends the message (later: %s)', async (later) => {
    const { stream, attach, errors } = streaming(new BrokenEventStore('append', later));
    const call = attach();
    void stream.send(frame(1));
    await settled();
    stream.finish(frame(2));
    await settled();
    expect(numbers(call)).toEqual([1, 2]);
    expect(call.closed).toBe(true);
    expect(errors).toHaveLength(2);
  });

  it.each([true, false])('on read: ends the connection (later: %s)', async (later) => {
    const { stream, attach, errors } = streaming(new BrokenEventStore('after', later));
    void stream.send(frame(1));
    const call = attach(0);
    await settled();
    expect(call).toMatchObject({ closed: true, text: '' });
    expect(errors).toHaveLength(1);
  });
});

describe('the end', () => {
  it('comes once, and loses nothing', async () => {
    const { stream, attach, ended } = streaming();
    const call = attach();
    stream.close();
    expect(call.closed).toBe(true);
    await settled();
    expect(ended.length).toBeLessThanOrEqual(1);
  });

  it('without a last message ends the connection', () => {
    const { stream, attach, ended } = streaming();
    const call = attach();
    stream.finish(undefined);
    expect(call).toMatchObject({ closed: true, text: '' });
    expect(ended).toHaveLength(1);
  });

  it('without a connection leaves everything in the store', async () => {
    const store = new MemoryEventStore();
    const { stream, ended } = streaming(store);
    void stream.send(frame(1));
    stream.finish(frame(2));
    expect(ended).toHaveLength(1);
    expect(store.after({ session: 's', stream: 3 }, 0)).toHaveLength(2);
  });
});
