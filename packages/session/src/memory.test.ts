import { type Answer, type Receiver, TransportError } from '@tenon/mcp-protocol';
import { describe, expect, it } from 'vitest';
import { shows } from '../../../tooling/suite/shows.js';
import { memoryPair } from './memory.js';

function recorder(answer: (value: unknown) => Answer = () => undefined) {
  const seen: unknown[] = [];
  const problems: string[] = [];
  const closed: (Error | undefined)[] = [];
  const receiver: Receiver = {
    receive(value) {
      seen.push(value);
      return answer(value);
    },
    malformed(reason) {
      problems.push(reason);
      return undefined;
    },
    closed: (reason) => void closed.push(reason),
  };
  return { receiver, seen, problems, closed };
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('a linked pair', () => {
  it('delivers parsed values in order, later, and never the same object', async () => {
    shows('2026-07-28/basic/transports/index/directions');
    const [left, right] = memoryPair();
    const there = recorder();
    right.start(there.receiver);
    left.start(recorder().receiver);
    const sent = { n: 1, deep: { a: [1, 2] } };
    void left.send(JSON.stringify(sent));
    void left.send('2');
    expect(there.seen).toEqual([]);
    await Promise.resolve();
    expect(there.seen).toEqual([sent, 2]);
    expect(there.seen[0]).not.toBe(sent);
  });

  it('keeps frames that arrive before start', async () => {
    const [left, right] = memoryPair();
    void left.send('1');
    void left.send('2');
    await turn();
    const there = recorder();
    right.start(there.receiver);
    await turn();
    expect(there.seen).toEqual([1, 2]);
  });

  it('delivers several frames in one microtask', async () => {
    const [left, right] = memoryPair();
    const order: string[] = [];
    right.start({
      receive: (value) => void order.push(`got ${value}`),
      malformed: () => undefined,
      closed() {},
    });
    for (let n = 0; n < 3; n++) void left.send(String(n));
    void Promise.resolve().then(() => order.push('next microtask'));
    await turn();
    expect(order).toEqual(['got 0', 'got 1', 'got 2', 'next microtask']);
  });

  it('sends answers back, a later one after an earlier one that was ready sooner', async () => {
    shows('2026-07-28/basic/transports/index/custom');
    const [left, right] = memoryPair();
    const here = recorder();
    left.start(here.receiver);
    let finish = (_: string | undefined): void => {};
    const slow = new Promise<string | undefined>((resolve) => {
      finish = resolve;
    });
    right.start(recorder((value) => (value === 'slow' ? slow : '"quick answer"')).receiver);
    void left.send('"slow"');
    void left.send('"quick"');
    await turn();
    expect(here.seen).toEqual(['quick answer']);
    finish('"slow answer"');
    await turn();
    expect(here.seen).toEqual(['quick answer', 'slow answer']);
  });

  it('reports a frame that is not JSON and sends what the receiver answers to it', async () => {
    const [left, right] = memoryPair();
    const here = recorder();
    left.start(here.receiver);
    right.start({ receive: () => undefined, malformed: (reason) => JSON.stringify({ reason }), closed() {} });
    void left.send('{"a":');
    await turn();
    expect(here.seen).toEqual([{ reason: expect.stringContaining('not JSON') }]);
  });

  it('returns a promise from the high-water mark on, and resolves it when the queue is delivered', async () => {
    const [left, right] = memoryPair();
    const there = recorder();
    const [first, second] = ['a'.repeat(600_000), 'b'.repeat(600_000)];
    expect(left.send(JSON.stringify(first))).toBeUndefined();
    const space = left.send(JSON.stringify(second));
    expect(space).toBeInstanceOf(Promise);
    let open = false;
    void space?.then(() => {
      open = true;
    });
    await turn();
    expect(open).toBe(false);
    right.start(there.receiver);
    await turn();
    expect(open).toBe(true);
    expect(there.seen).toEqual([first, second]);
  });

  it('ends with an error when the queue would exceed its limit', async () => {
    const [left, right] = memoryPair();
    const here = recorder();
    left.start(here.receiver);
    const frame = JSON.stringify('a'.repeat(32 << 20));
    for (let n = 0; n < 10; n++) void left.send(frame);
    await turn();
    expect(here.closed).toEqual([expect.any(TransportError)]);
    const there = recorder();
    right.start(there.receiver);
    await turn();
    expect(there.seen.length).toBeLessThan(10);
    expect(there.closed).toEqual([expect.any(TransportError)]);
  });

  it('closes both ends once, after delivery, whichever end closes', async () => {
    const [left, right] = memoryPair();
    const [here, there] = [recorder(), recorder(() => '"too late"')];
    left.start(here.receiver);
    right.start(there.receiver);
    void left.send('1');
    void right.send('2');
    const closing = left.close();
    void left.send('3');
    expect(there.closed).toEqual([]);
    await closing;
    await Promise.all([left.close(), right.close()]);
    expect(there.seen).toEqual([1]);
    expect(here.seen).toEqual([2]);
    expect(here.closed).toEqual([undefined]);
    expect(there.closed).toEqual([undefined]);
  });

  it('notifies an end that starts after the close', async () => {
    for (const frames of [['1', '2'], []]) {
      const [left, right] = memoryPair();
      for (const frame of frames) void left.send(frame);
      await left.close();
      const there = recorder();
      right.start(there.receiver);
      await turn();
      expect(there.seen).toEqual(frames.map(Number));
      expect(there.closed).toEqual([undefined]);
    }
  });

  it('resolves waiting sends when it closes', async () => {
    const [left] = memoryPair();
    const space = left.send(JSON.stringify('a'.repeat(1 << 20)));
    await left.close();
    await expect(space).resolves.toBeUndefined();
  });

  it('survives a receiver that closes while it receives', async () => {
    const [left, right] = memoryPair();
    const there = recorder(() => {
      void right.close();
      return undefined;
    });
    const here = recorder();
    left.start(here.receiver);
    right.start(there.receiver);
    void left.send('1');
    void left.send('2');
    await turn();
    expect(there.seen).toEqual([1, 2]);
    expect([here.closed, there.closed]).toEqual([[undefined], [undefined]]);
  });

  it('throws when it is misused', () => {
    const [left] = memoryPair();
    left.start(recorder().receiver);
    expect(() => left.start(recorder().receiver)).toThrow(TypeError);
  });
});

describe('a receiver that fails', () => {
  const tooLong = new RangeError('Invalid string length');

  it.each<[string, () => Promise<string>]>([
    [
      'throws',
      () => {
        throw tooLong;
      },
    ],
    ['rejects', () => Promise.reject(tooLong)],
  ])('gets its request answered with an internal error when it %s', async (_title, receive) => {
    const [near, far] = memoryPair();
    const errors: unknown[] = [];
    const received: unknown[] = [];
    far.start({
      receive,
      malformed: () => undefined,
      closed: () => {},
      onError: (error, where) => errors.push([error, where]),
    });
    near.start({
      receive: (value) => {
        received.push(value);
        return undefined;
      },
      malformed: () => undefined,
      closed: () => {},
    });
    await near.send('{"jsonrpc":"2.0","id":1,"method":"a"}');
    for (let turn = 0; turn < 10; turn++) await undefined;
    expect(received).toEqual([
      { jsonrpc: '2.0', id: 1, error: { code: -32_603, message: 'Internal error' } },
    ]);
    expect(errors).toEqual([[tooLong, 'memory']]);
  });
});
