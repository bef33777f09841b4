import { RpcError } from '@tenon/mcp-protocol';
import { revision20250618, revision20260728 } from '@tenon/mcp-protocol/internal';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import { settled } from '../../../testing/src/fake-clock.js';
import { call, Held, notification, Rig, type RigOptions, request } from '../../test/rig.js';

function server(held: Held, more: RigOptions = {}): Rig {
  const requests = { 'tools/call': held.handle, ping: () => ({}) };
  return new Rig({ revision: revision20250618, ...more, requests });
}

const unhandled: unknown[] = [];
const note = (reason: unknown) => unhandled.push(reason);

beforeEach(() => {
  unhandled.length = 0;
  process.on('unhandledRejection', note);
});

afterEach(async () => {
  await new Promise((resolve) => setTimeout(resolve));
  process.off('unhandledRejection', note);
  expect(unhandled).toEqual([]);
});

describe('close', () => {
  test('of an idle endpoint closes its transport once, even if called twice', async () => {
    const rig = server(new Held());
    const first = rig.endpoint.close();
    expect(rig.endpoint.state).toBe('closing');
    await Promise.all([first, rig.endpoint.close()]);
    await rig.endpoint.close();
    expect(rig.endpoint.state).toBe('closed');
    expect(rig.connection.closes).toBe(1);
    expect(rig.clock.waiting).toEqual([]);
  });

  test('lets what is in flight finish and refuses what comes', async () => {
    const held = new Held();
    const rig = server(held);
    const order: string[] = [];
    rig.connection.onClose = async () => void order.push('closed');
    const answer = rig.ask(request(1, 'tools/call', call())).then((one) => {
      order.push('answered');
      return one;
    });
    const closing = rig.endpoint.close();
    expect((await rig.ask(request(2, 'ping'))).error).toEqual({
      code: -31_002,
      message: 'This end is closing and takes no further requests.',
    });
    expect(rig.connection.closes).toBe(0);
    held.finish();
    expect((await answer).result).toEqual({ content: [], isError: false });
    await closing;
    expect(order).toEqual(['answered', 'closed']);
    expect(rig.clock.waiting).toEqual([]);
  });

  test('a second call does not cut the first one short', async () => {
    const held = new Held();
    const rig = server(held);
    const answer = rig.ask(request(1, 'tools/call', call()));
    const closing = [rig.endpoint.close(), rig.endpoint.close()];
    await settled();
    expect(rig.connection.closes).toBe(0);
    held.finish();
    await Promise.all(closing);
    expect((await answer).result).toBeDefined();
  });

  test('waits for the answers to a batch as well', async () => {
    const held = new Held();
    const rig = server(held);
    rig.endpoint.settle({ ...revision20250618, rules: { ...revision20250618.rules, batching: true } });
    let closedBefore: number | undefined;
    const answer = rig.ask([request(1, 'tools/call', call()), request(2, 'ping')]).then((one) => {
      closedBefore = rig.connection.closes;
      return one;
    });
    const closing = rig.endpoint.close();
    held.finish();
    expect(await answer).toHaveLength(2);
    await closing;
    expect(closedBefore).toBe(0);
  });

  test('from within a handler does not swallow its answer', async () => {
    const rig = new Rig({
      revision: revision20250618,
      requests: {
        'tools/call': () => {
          void rig.endpoint.close();
          return { content: [] };
        },
      },
    });
    const answer = rig.deliver(request(1, 'tools/call', call()));
    expect(typeof answer).toBe('string');
    expect(rig.connection.closes).toBe(0);
    await settled();
    expect(rig.connection.closes).toBe(1);
  });

  test('waits no longer than the limit, and cancels what is left', async () => {
    shows('2024-11-05/basic/lifecycle/shutdown-timeout');
    const held = new Held();
    const rig = server(held, { limits: { drain: 500 } });
    const answer = rig.deliver(request(1, 'tools/call', call()));
    const { signal } = held.requests[0]!;
    let abortedBefore: boolean | undefined;
    rig.connection.onClose = async () => {
      abortedBefore = signal.aborted;
    };
    const closing = rig.endpoint.close();
    await rig.clock.advance(499);
    expect(signal.aborted).toBe(false);
    await rig.clock.advance(1);
    await closing;
    expect(abortedBefore).toBe(true);
    expect(signal.reason).toMatchObject({ reason: 'closed' });
    held.finish();
    expect(await answer).toBeUndefined();
  });

  test('does not wait for what the peer has cancelled', async () => {
    const held = new Held();
    const rig = server(held);
    rig.hand(request(1, 'tools/call', call()));
    const closing = rig.endpoint.close();
    rig.hand(notification('notifications/cancelled', { requestId: 1 }));
    await closing;
    expect(rig.endpoint.state).toBe('closed');
    held.finish();
  });

  test('does not wait for a peer that is gone', async () => {
    const held = new Held();
    const rig = server(held);
    rig.hand(request(1, 'tools/call', call()));
    const closing = rig.endpoint.close();
    rig.endpoint.closed(new Error('gone'));
    await closing;
    expect(rig.clock.waiting).toEqual([]);
    held.finish();
  });

  test('fails own requests at once, but not what a call in flight asks', async () => {
    const rig = new Rig({
      revision: revision20250618,
      requests: {
        'tools/call': async (incoming) => {
          const { roots } = await incoming.ask('roots/list', {});
          await incoming.ask('ping', {});
          return { content: [{ type: 'text', text: String(roots.length) }] };
        },
      },
    });
    const own = rig.endpoint.request('ping', {});
    const answer = rig.ask(request(1, 'tools/call', call()));
    await settled();
    const closing = rig.endpoint.close();
    await expect(own).rejects.toMatchObject({ reason: 'closed', unhandled: false });
    await expect(rig.endpoint.request('ping', {})).rejects.toMatchObject({
      reason: 'closed',
      unhandled: true,
    });
    rig.hand({ jsonrpc: '2.0', id: 2, result: { roots: [] } });
    await settled();
    rig.hand({ jsonrpc: '2.0', id: 3, result: {} });
    expect((await answer).result?.content).toEqual([{ type: 'text', text: '0' }]);
    await closing;
  });

  test('leaves what a call in flight asks its time limit', async () => {
    const held = new Held();
    const rig = server(held, { limits: { requestTimeout: 100 } });
    void rig.deliver(request(1, 'tools/call', call()));
    const own = rig.endpoint.request('ping', {});
    const closing = rig.endpoint.close();
    await expect(own).rejects.toMatchObject({ reason: 'closed' });
    const asked = held.requests[0]!.ask('roots/list', {});
    const outcome = expect(asked).rejects.toMatchObject({ reason: 'timeout' });
    await rig.clock.advance(100);
    await outcome;
    held.finish();
    await closing;
  });

  test('reports a transport that fails to close, and still ends', async () => {
    const rig = server(new Held());
    rig.connection.onClose = () => Promise.reject(new Error('stuck'));
    await rig.endpoint.close();
    expect(rig.endpoint.state).toBe('closed');
    expect(rig.errors).toMatchObject([{ error: { message: 'stuck' }, where: 'close' }]);
  });
});

describe('a peer that vanishes', () => {
  test('cancels what is in flight and fails what waits, with the reason', async () => {
    const held = new Held();
    const rig = server(held);
    const answer = rig.deliver(request(1, 'tools/call', call()));
    const { signal } = held.requests[0]!;
    const own = rig.endpoint.request('ping', {});
    const gone = new Error('The pipe broke.');
    rig.endpoint.closed(gone);
    await expect(own).rejects.toMatchObject({
      reason: 'closed',
      message: 'ping: The pipe broke.',
      cause: gone,
    });
    expect(signal.reason).toMatchObject({ reason: 'closed', cause: gone });
    held.fail(new Error('aborted'));
    expect(await answer).toBeUndefined();
    expect(rig.errors).toEqual([]);
    expect(rig.clock.waiting).toEqual([]);
    await expect(rig.endpoint.request('ping', {})).rejects.toMatchObject({ reason: 'closed' });
    expect(rig.endpoint.notify('notifications/tools/list_changed', {})).toBeUndefined();
  });

  test('while a handler has not returned yet cancels it when it does', async () => {
    const held = new Held();
    const rig = new Rig({
      revision: revision20250618,
      requests: {
        'tools/call': (incoming) => {
          rig.endpoint.closed();
          return held.handle(incoming);
        },
      },
    });
    const answer = rig.deliver(request(1, 'tools/call', call()));
    expect(held.requests[0]?.cancelled).toBe(true);
    held.finish();
    expect(await answer).toBeUndefined();
  });

  test('with handlers that ask, report and log leaves nothing unhandled', async () => {
    const rig = new Rig({
      revision: revision20250618,
      requests: {
        'tools/call': async (incoming) => {
          void incoming.progress(1);
          void incoming.notify('notifications/message', { level: 'info', data: 'x' });
          incoming.ask('roots/list', {}).catch(() => undefined);
          await incoming.ask('ping', {});
          return { content: [] };
        },
      },
    });
    rig.connection.onSend = () => Promise.reject(new Error('gone'));
    const answer = rig.deliver(request(1, 'tools/call', call({ progressToken: 1 })));
    rig.endpoint.closed();
    expect(await answer).toBeUndefined();
  });
});

describe('endings', () => {
  test('run once, before calls in flight are waited for, and each on its own', async () => {
    const held = new Held();
    const rig = server(held);
    const seen: string[] = [];
    rig.endpoint.onEnding(() => seen.push('first'));
    rig.endpoint.onEnding(() => {
      throw new Error('broken');
    });
    const forget = rig.endpoint.onEnding(() => seen.push('forgotten'));
    rig.endpoint.onEnding(async () => {
      seen.push('last');
      throw new Error('broken later');
    });
    forget();
    rig.hand(request(1, 'tools/call', call()));
    const closing = rig.endpoint.close();
    expect(seen).toEqual(['first', 'last']);
    held.finish();
    await closing;
    rig.endpoint.closed();
    expect(seen).toEqual(['first', 'last']);
    expect(rig.errors.map((one) => (one.error as Error).message)).toEqual(['broken', 'broken later']);
  });

  test('that come late run soon', async () => {
    const held = new Held();
    const rig = server(held);
    rig.hand(request(1, 'tools/call', call()));
    void rig.endpoint.close();
    const seen: string[] = [];
    rig.endpoint.onEnding(() => seen.push('while closing'));
    rig.endpoint.onEnding(() => seen.push('forgotten'))();
    expect(seen).toEqual([]);
    await settled();
    expect(seen).toEqual(['while closing']);
    rig.endpoint.closed();
    rig.endpoint.onEnding(() => seen.push('afterwards'));
    await settled();
    expect(seen).toEqual(['while closing', 'afterwards']);
    held.finish();
  });

  test('a single one can be taken out', () => {
    const rig = server(new Held());
    const seen: string[] = [];
    rig.endpoint.onEnding(() => seen.push('x'))();
    rig.endpoint.closed();
    expect(seen).toEqual([]);
  });
});

describe('onClosed', () => {
  test('is called once, with the reason, for each way to end', async () => {
    const rig = server(new Held());
    const seen: unknown[] = [];
    rig.endpoint.onClosed(() => {
      throw new Error('broken');
    });
    rig.endpoint.onClosed((reason) => seen.push(reason));
    const gone = new Error('gone');
    rig.endpoint.closed(gone);
    rig.endpoint.closed();
    await rig.endpoint.close();
    expect(seen).toEqual([gone]);
    rig.endpoint.onClosed((reason, endpoint) => seen.push(reason, endpoint === rig.endpoint));
    expect(seen).toEqual([gone, gone, true]);
    expect(rig.errors).toMatchObject([{ error: { message: 'broken' }, where: 'onClosed' }]);
  });

  test('receives the end that closed, and a close of its own without a reason', async () => {
    const rig = server(new Held());
    const seen: unknown[] = [];
    rig.endpoint.onClosed((reason, endpoint) => seen.push(reason, endpoint === rig.endpoint));
    await rig.endpoint.close();
    expect(seen).toEqual([undefined, true]);
  });
});

describe('notifications', () => {
  test('reach their handlers, and errors of the handlers are reported', async () => {
    const seen: unknown[] = [];
    const rig = new Rig({
      revision: revision20250618,
      notifications: {
        'notifications/initialized': (params) => seen.push(params),
        'notifications/roots/list_changed': (async () => {
          throw new Error('later');
        }) as never,
        'notifications/no/such': () => seen.push('never'),
      },
    });
    rig.hand(notification('notifications/initialized'));
    rig.hand(notification('notifications/roots/list_changed'));
    rig.hand(notification('notifications/no/such'));
    rig.hand(notification('notifications/tools/list_changed'));
    rig.hand(notification('notifications/initialized', { _meta: 5 }));
    await settled();
    expect(seen).toEqual([{}]);
    expect(rig.errors).toMatchObject([
      { error: { reason: 'invalid-answer' }, where: 'notifications/initialized' },
      { error: { message: 'later' }, where: 'notifications/roots/list_changed' },
    ]);
  });

  test('go out unrelated to any request', () => {
    const rig = server(new Held());
    void rig.endpoint.notify('notifications/tools/list_changed', {});
    expect(rig.connection.sent).toEqual([
      { jsonrpc: '2.0', method: 'notifications/tools/list_changed', params: {} },
    ]);
    expect(rig.connection.envelopes).toEqual([{ unrelated: true }]);
  });
});

test('never throws into the transport, and goes on after what it could not read or answer', async () => {
  const circular: Record<string, unknown> = {};
  circular.self = circular;
  const rig = new Rig({
    revision: revision20260728,
    requests: {
      'tools/call': () => {
        throw new RpcError(1, 'm', { data: circular });
      },
    },
    onError: () => {
      throw new Error('and the log is full');
    },
  });
  for (const value of [undefined, null, 0, '', [], {}, request({}, 'x'), request(1, 'tools/call', call())]) {
    expect(() => rig.endpoint.receive(value, rig.connection)).not.toThrow();
  }
  expect(await rig.ask(request(2, 'tools/list', call()))).toMatchObject({ id: 2, error: { code: -32601 } });
});
