import { describe, expect, it } from 'vitest';
import { Recorder } from '../../../../../tooling/suite/recorder.js';
import { httpClientBoundsOf } from './http-limits.js';
import { Inbox, type Pausable } from './inbox.js';

/** A stream with many requests. It stops when the inbox pauses it, and continues when the inbox resumes it. */
class Asking implements Pausable {
  readonly #inbox: Inbox;
  #left: number;
  #paused = false;

  constructor(inbox: Inbox, count: number) {
    this.#inbox = inbox;
    this.#left = count;
  }

  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
    while (!this.#paused && this.#left > 0) {
      this.#inbox.deliver({ jsonrpc: '2.0', id: `q${this.#left--}`, method: 'ping' }, this);
    }
  }
}

function inboxWith(maxAnswersLeaving: number) {
  const sent: string[] = [];
  const receiver = new Recorder();
  receiver.reply = (value) => JSON.stringify({ id: (value as { id: string }).id });
  const send = async (frame: string) => {
    sent.push(frame);
  };
  const limits = { ...httpClientBoundsOf(), maxAnswersLeaving };
  const inbox = new Inbox({ limits, exchange: { facts: {}, send: () => undefined }, send });
  inbox.receiver = receiver;
  return { inbox, sent };
}

describe('a stream with more requests than answers may be sent at once', () => {
  it.each([1, 2, 64])(
    'is read to its end, and resumes whenever some of %i answers have left',
    async (limit) => {
      const { inbox, sent } = inboxWith(limit);
      new Asking(inbox, 300).resume();
      for (let turn = 0; turn < 1_000; turn++) await Promise.resolve();
      expect(sent).toHaveLength(300);
    },
  );
});

describe('an answer to a waiting request', () => {
  it.each([
    ['a result', { jsonrpc: '2.0', id: 1, result: {} }, 1],
    ['an error', { jsonrpc: '2.0', id: 1, error: { code: 1, message: 'x' } }, 1],
    ['in a batch', [{ jsonrpc: '2.0', id: 1, result: {} }], 1],
    ['of another version', { jsonrpc: '1.0', id: 1, result: {} }, 0],
    ['of no version', { id: 1, result: {} }, 0],
    ['with the id as a string', { jsonrpc: '2.0', id: '1', result: {} }, 1],
    ['with another string', { jsonrpc: '2.0', id: '01', result: {} }, 0],
    ['with a method', { jsonrpc: '2.0', id: 1, method: 'ping' }, 0],
  ])('%s', (_, value, answered) => {
    const { inbox } = inboxWith(1);
    let heard = 0;
    inbox.await(1, { answered: () => void heard++ });
    inbox.deliver(value, new Asking(inbox, 0));
    expect(heard).toBe(answered);
  });

  it('is ignored in a batch in revisions without batches', () => {
    const exchange = { facts: {}, send: () => undefined };
    const inbox = new Inbox({
      limits: httpClientBoundsOf(),
      exchange,
      send: async () => {},
      batches: () => false,
    });
    let heard = 0;
    inbox.await(1, { answered: () => void heard++ });
    inbox.deliver([{ jsonrpc: '2.0', id: 1, result: {} }], new Asking(inbox, 0));
    expect(heard).toBe(0);
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
  ])('answers the request with an internal error when it %s', async (_title, reply) => {
    const sent: string[] = [];
    const send = async (frame: string) => {
      sent.push(frame);
    };
    const inbox = new Inbox({
      limits: httpClientBoundsOf(),
      exchange: { facts: {}, send: () => undefined },
      send,
    });
    const errors: unknown[] = [];
    const receiver = new Recorder();
    receiver.reply = reply;
    inbox.receiver = Object.assign(receiver, { onError: (error: unknown) => errors.push(error) });
    inbox.deliver({ jsonrpc: '2.0', id: 1, method: 'ping' }, { pause() {}, resume() {} });
    for (let turn = 0; turn < 10; turn++) await undefined;
    expect(sent).toEqual(['{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"Internal error"}}']);
    expect(errors).toEqual([tooLong]);
  });
});

describe('a message that is nested too deeply', () => {
  it.each([
    ['a response', { jsonrpc: '2.0', id: 1, result: { a: [[[]]] } }, { kind: 'response', id: 1 }, [1]],
    [
      'a request',
      { jsonrpc: '2.0', id: 1, method: 'a', params: { a: [[[]]] } },
      { kind: 'request', id: 1 },
      [],
    ],
    ['a notification', { jsonrpc: '2.0', method: 'a', params: { a: [[[]]] } }, undefined, []],
  ])('is reported with its id: %s', (...[, message, unread, settled]) => {
    const notified: unknown[] = [];
    const answered: unknown[] = [];
    const inbox = new Inbox({
      limits: { ...httpClientBoundsOf(), maxNesting: 3 },
      exchange: { facts: {}, send: () => undefined },
      send: async () => {},
    });
    const receiver = new Recorder();
    inbox.receiver = Object.assign(receiver, {
      malformed: (_reason: string, _exchange: unknown, given: unknown): undefined => {
        notified.push(given);
      },
    });
    inbox.await(1, { answered: (id) => answered.push(id) });
    inbox.deliverText(JSON.stringify(message), { pause() {}, resume() {} });
    expect(notified).toEqual([unread]);
    expect(answered).toEqual(settled);
  });
});
