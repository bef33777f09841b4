import type { Exchange } from '@tenon/mcp-protocol';
import { describe, expect, it } from 'vitest';
import { shows } from '../../../../../tooling/suite/shows.js';
import { settled } from '../../../../testing/src/fake-clock.js';
import { FakeApplication, failing, result } from '../../../test/fake-application.js';
import { FakeService, postHeaders, stateless } from '../../../test/fake-service.js';
import type { HttpOptions } from '../http-options.js';

interface Held {
  readonly exchange: Exchange;
  readonly finish: (frame?: string) => void;
}

/** A service with requests that end when a test says so. */
function held(options: HttpOptions = {}) {
  const requests: Held[] = [];
  const application = new FakeApplication(
    (value, exchange) =>
      new Promise((resolve) => {
        requests.push({ exchange, finish: (frame = result(value, { done: true })) => resolve(frame) });
      }),
  );
  return { host: new FakeService(options, application), requests };
}

const progress = '{"jsonrpc":"2.0","method":"notifications/progress"}';

describe('a request outside sessions', () => {
  it('is answered with JSON if nothing is sent before the answer', async () => {
    const { host, requests } = held();
    const call = host.post(...stateless(7));
    requests[0]?.finish();
    await call.done();
    expect(call).toMatchObject({ status: 200, streaming: false });
    expect(call.sent).toEqual({ 'content-type': 'application/json' });
    expect(call.json).toEqual({ jsonrpc: '2.0', id: 7, result: { done: true } });
  });

  it('is answered although the error listener fails', () => {
    const onError = () => {
      throw new Error('the log is full');
    };
    const application = new FakeApplication(() => {
      throw new Error('secret detail');
    });
    const call = new FakeService({ onError }, application).post(...stateless(7));
    expect(call).toMatchObject({ status: 500, json: { id: 7, error: { message: 'Internal error' } } });
  });

  it('is answered synchronously if the application answers synchronously', () => {
    expect(new FakeService().post(...stateless('a')).json.id).toBe('a');
  });

  it('becomes a stream with the first earlier message, and the answer is its last event', async () => {
    shows(
      '2026-07-28/basic/transports/streamable-http/stream-notifications',
      '2026-07-28/basic/transports/streamable-http/answer-ends-stream',
      '2026-07-28/basic/transports/streamable-http/x-accel-buffering',
      '2026-07-28/basic/transports/streamable-http/not-resumable',
    );
    const { host, requests } = held();
    const call = host.post(...stateless(7));
    void requests[0]?.exchange.send(progress);
    expect(call).toMatchObject({ status: 200, streaming: true, closed: false });
    expect(call.sent).toEqual({
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    });
    requests[0]?.finish();
    await call.done();
    expect(call.messages.map(({ method, id }) => method ?? id)).toEqual(['notifications/progress', 7]);
    expect(call.events.every((event) => event.id === undefined)).toBe(true);
  });

  it('returns the promise of a slow stream to the sender', async () => {
    const { host, requests } = held();
    const call = host.post(...stateless(1));
    call.patience = Promise.resolve();
    expect(requests[0]?.exchange.send(progress)).toBe(call.patience);
    call.patience = undefined;
    expect(requests[0]?.exchange.send(progress)).toBeUndefined();
  });

  it.each([
    [-32601, 404],
    [-32602, 200],
    [-32603, 200],
    [-32020, 400],
    [-32021, 400],
    [-32022, 400],
    [-32600, 400],
    [-31001, 503],
    [-31002, 503],
    [123, 200],
  ])('with error %i has status %i', (code, status) => {
    const host = new FakeService(
      {},
      new FakeApplication((value, exchange) => failing(value, exchange, code)),
    );
    const call = host.post(...stateless(1));
    expect(call).toMatchObject({ status, json: { id: 1, error: { code } } });
    expect(call.sent['retry-after']).toBe(status === 503 ? '1' : undefined);
  });

  it('that is rejected has the status of the refusal', () => {
    const application = new FakeApplication((value, exchange) => {
      exchange.refused?.(400);
      return result(value);
    });
    expect(new FakeService({}, application).post(...stateless(1)).status).toBe(400);
  });

  it('is answered with an internal error if the application throws, with details only for onError', () => {
    const application = new FakeApplication(() => {
      throw new Error('secret');
    });
    const host = new FakeService({}, application);
    const call = host.post(...stateless(1));
    expect(call).toMatchObject({ status: 500, json: { error: { code: -32603, message: 'Internal error' } } });
    expect(host.errors).toMatchObject([{ error: { message: 'secret' }, where: 'http' }]);
  });
});

describe('a message that is not a request', () => {
  it('is accepted with 202 and no body', () => {
    shows(
      '2025-03-26/streamable-http/accepted',
      '2026-07-28/basic/index/notification-unanswered',
      '2026-07-28/basic/transports/streamable-http/notification-accepted',
    );
    const [, headers] = stateless(1);
    const call = new FakeService().post({ jsonrpc: '2.0', method: 'notifications/x' }, headers);
    expect(call).toMatchObject({ status: 202, text: '', sent: {} });
  });

  it('is rejected with 400 if it cannot be accepted', () => {
    shows('2026-07-28/basic/transports/streamable-http/notification-refused');
    const application = new FakeApplication((_value, exchange) => {
      exchange.refused?.(400);
      return undefined;
    });
    const [, headers] = stateless(1);
    const call = new FakeService({}, application).post({ jsonrpc: '2.0', id: null, result: {} }, headers);
    expect(call).toMatchObject({ status: 400, text: '' });
  });
});

describe('a client that disconnects', () => {
  it('cancels, whether its exchange already has a signal or gets one later', async () => {
    shows('2026-07-28/basic/patterns/cancellation/http-disconnect');
    const { host, requests } = held();
    const call = host.post(...stateless(1));
    const { exchange, finish } = requests[0] as Held;
    const { signal } = exchange;
    expect([exchange.gone, signal?.aborted]).toEqual([false, false]);
    call.leave();
    expect([exchange.gone, signal?.aborted]).toEqual([true, true]);
    expect(exchange.send(progress)).toBeUndefined();
    finish();
    await settled();
    expect(call.text).toBe('');

    const later = host.post(...stateless(2));
    later.leave();
    expect(requests[1]?.exchange.signal?.aborted).toBe(true);
  });

  it('ends a stream without a further event', async () => {
    shows('2026-07-28/basic/transports/streamable-http/silent-after-disconnect');
    const { host, requests } = held();
    const call = host.post(...stateless(1));
    void requests[0]?.exchange.send(progress);
    call.leave();
    void requests[0]?.exchange.send(progress);
    requests[0]?.finish();
    await settled();
    expect(call.events).toHaveLength(1);
  });

  it('a cancelled request ends without an answer', async () => {
    const requests: (() => void)[] = [];
    const application = new FakeApplication(
      () => new Promise((resolve) => requests.push(() => resolve(undefined))),
    );
    const host = new FakeService({}, application);
    const call = host.post(...stateless(1));
    requests[0]?.();
    await call.done();
    expect(call.text).toBe('');
  });
});

describe('keep-alive', () => {
  const limits = { keepAlive: 100 };

  it('turns a waiting request into a stream, after half of the interval at the earliest', async () => {
    const { host, requests } = held({ limits });
    const first = host.post(...stateless(1));
    await host.clock.advance(49);
    const second = host.post(...stateless(2));
    await host.clock.advance(1);
    expect([first.streaming, second.streaming]).toEqual([false, false]);
    await host.clock.advance(50);
    expect(first).toMatchObject({ streaming: true, text: ':\n\n', status: 200 });
    expect(second.streaming).toBe(true);
    requests[0]?.finish();
    await first.done();
    expect(first.messages).toEqual([{ jsonrpc: '2.0', id: 1, result: { done: true } }]);
  });

  it('sends comments only on quiet streams', async () => {
    shows('2026-07-28/basic/transports/streamable-http/keep-alive-comments');
    const { host, requests } = held({ limits });
    const call = host.post(...stateless(1));
    for (let step = 0; step < 4; step++) {
      void requests[0]?.exchange.send(progress);
      await host.clock.advance(50);
    }
    expect(call.events.some((event) => event.comment)).toBe(false);
    await host.clock.advance(50);
    expect(call.events.at(-1)).toEqual({ comment: true });
  });

  it('leaves no timer when no request is running', async () => {
    const { host, requests } = held({ limits });
    host.post(...stateless(1));
    requests[0]?.finish();
    await host.clock.advance(100);
    expect(host.clock.waiting).toEqual([]);
  });
});

describe('the limits of running requests', () => {
  interface Caller {
    readonly who?: string;
    readonly remoteAddress?: string;
  }

  const [here, there] = ['203.0.113.1', '203.0.113.2'];
  const nameOf = ({ who, ...from }: Caller) => {
    const { host, requests } = held({ limits: { exchanges: 7, exchangesPerPrincipal: 2 } });
    const [value, headers] = stateless(1);
    const given = { text: JSON.stringify(value), headers: { ...postHeaders, ...headers }, ...from };
    host.call(given, who === undefined ? undefined : { id: who });
    expect(requests[0]?.exchange.bounds).toEqual({ total: 7, perCaller: 2 });
    return requests[0]?.exchange.caller;
  };

  it('use one name for a principal, whatever the address', () => {
    const ann = nameOf({ who: 'ann', remoteAddress: here });
    expect(ann).toBeDefined();
    expect(nameOf({ who: 'ann', remoteAddress: there })).toBe(ann);
    expect(nameOf({ who: 'bob', remoteAddress: here })).not.toBe(ann);
  });

  it('use the address if the caller is not known, and no name if neither is known', () => {
    expect(nameOf({ remoteAddress: here })).toBe(nameOf({ remoteAddress: here }));
    expect(nameOf({ remoteAddress: here })).not.toBe(nameOf({ remoteAddress: there }));
    expect(nameOf({ remoteAddress: '["","ann"]' })).not.toBe(nameOf({ who: 'ann' }));
    expect(nameOf({})).toBeUndefined();
  });

  it('use the same name after the connection has lost its address', () => {
    const { host, requests } = held();
    const [value, headers] = stateless(1);
    const given = { text: JSON.stringify(value), headers: { ...postHeaders, ...headers } };
    const call = host.call({ ...given, remoteAddress: here });
    const name = requests[0]?.exchange.caller;
    call.remoteAddress = undefined;
    expect(requests[0]?.exchange.caller).toBe(name);
  });
});

describe('drain', () => {
  it('rejects new requests, lets running ones finish, and ends listen streams', async () => {
    const { host, requests } = held();
    const call = host.post(...stateless(1));
    const listening = host.post(...stateless(2, 'subscriptions/listen'));
    requests[1]?.exchange.onEnding?.(() => requests[1]?.finish());
    expect(host.service.ready).toBe(true);
    let drained = false;
    void host.service.drain().then(() => {
      drained = true;
    });
    expect(host.service.ready).toBe(false);
    await listening.done();
    const refused = host.post(...stateless(3));
    expect(refused).toMatchObject({ status: 503, json: { error: { code: -31002 } } });
    expect(refused.sent).toMatchObject({ 'retry-after': '5', connection: 'close' });
    expect(drained).toBe(false);
    requests[0]?.finish();
    await call.done();
    await settled();
    expect(drained).toBe(true);
    expect(host.clock.waiting.filter((ms) => ms < 5_001)).toEqual([]);
  });

  it('does not run a removed task', async () => {
    const { host, requests } = held();
    host.post(...stateless(1));
    let ran = false;
    requests[0]?.exchange.onEnding?.(() => {
      ran = true;
    })();
    void host.service.drain();
    requests[0]?.finish();
    await settled();
    expect(ran).toBe(false);
  });

  it('cancels requests that do not finish in time, and ends every response', async () => {
    const { host, requests } = held({ limits: { drain: 1_000 } });
    const call = host.post(...stateless(1));
    const stream = host.post(...stateless(2));
    void requests[1]?.exchange.send(progress);
    const draining = host.service.drain();
    await host.clock.advance(999);
    expect(requests[0]?.exchange.gone).toBe(false);
    await host.clock.advance(1);
    await draining;
    expect(requests[0]?.exchange.signal?.aborted).toBe(true);
    expect(call).toMatchObject({ closed: true, status: 500, json: { error: { code: -32603 } } });
    expect(stream).toMatchObject({ closed: true });
  });

  it('can be called twice', async () => {
    const { host } = held();
    await Promise.all([host.service.drain(), host.service.drain()]);
  });
});
