import {
  revision20241105,
  revision20250326,
  revision20250618,
  revision20251125,
} from '@tenon/mcp-protocol/internal';
import { describe, expect, test } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import { settled } from '../../../testing/src/fake-clock.js';
import { call, Held, modern, notification, Rig, type RigOptions, request } from '../../test/rig.js';

function server(more: RigOptions = {}): Rig {
  return new Rig({
    revision: revision20250326,
    ...more,
    requests: { ping: () => ({}), 'tools/call': async () => ({ content: [] }), ...more.requests },
  });
}

describe('a batch that comes in', () => {
  test('is answered by one list in the order of its requests', async () => {
    shows('2025-03-26/json-rpc/receive-batches');
    const held = new Held();
    const rig = server({ requests: { 'tools/call': held.handle } });
    const answer = rig.ask([
      request(1, 'tools/call', call()),
      notification('notifications/initialized'),
      request('b', 'ping'),
      request(3, 'no/such'),
      { jsonrpc: '2.0', id: 4 },
      5,
    ]);
    await settled();
    held.finish();
    expect((await answer).map((one) => [one.id, one.error?.code ?? one.result])).toEqual([
      [1, { content: [], isError: false }],
      ['b', {}],
      [3, -32_601],
      [4, -32_600],
      [null, -32_600],
    ]);
  });

  test('is answered at once when every handler is', () => {
    const answer = server().deliver([request(1, 'ping'), request(2, 'ping')]);
    expect(answer).toBe('[{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","id":2,"result":{}}]');
  });

  test('of notifications and responses has no answer', () => {
    const rig = server();
    expect(
      rig.hand([notification('notifications/initialized'), { jsonrpc: '2.0', id: 9, result: {} }]),
    ).toBeUndefined();
  });

  test('settles the requests its responses answer', async () => {
    const rig = server();
    const first = rig.endpoint.request('ping', {});
    const second = rig.endpoint.request('roots/list', {});
    rig.hand([
      { jsonrpc: '2.0', id: 2, result: { roots: [] } },
      { jsonrpc: '2.0', id: 1, result: {} },
    ]);
    expect(await first).toEqual({});
    expect(await second).toEqual({ roots: [] });
  });

  test('has no answer when all of it was cancelled', async () => {
    const held = new Held();
    const rig = server({ requests: { 'tools/call': held.handle } });
    const answer = rig.deliver([request(1, 'tools/call', call())]);
    rig.hand(notification('notifications/cancelled', { requestId: 1 }));
    held.finish();
    expect(await answer).toBeUndefined();
  });

  test.each([
    ['empty', [], 'A batch must hold at least one message.'],
    ['too large', Array(101).fill(request(1, 'ping')), 'A batch may hold 100 messages, not 101.'],
  ])('that is %s is refused as a whole', async (_, batch, message) => {
    expect(await server().ask(batch)).toEqual({
      jsonrpc: '2.0',
      id: null,
      error: { code: -32_600, message },
    });
  });

  test.each([
    [
      'initialize',
      request(1, 'initialize', {}),
      'initialize cannot be part of a batch; send it alone.',
      '2025-03-26/lifecycle/not-in-batch',
    ],
    [
      'a stateless request',
      modern(1, 'tools/call', call()),
      'A request of this revision cannot be part of a batch; send it alone.',
    ],
  ])('cannot hold %s', async (...[, message, why, ...ids]) => {
    shows(...ids);
    const [first, second] = await server().ask([message, request(2, 'ping')]);
    expect(first?.error).toEqual({ code: -32_600, message: why });
    expect(second?.result).toEqual({});
  });

  test('cannot hold a batch', async () => {
    const [answer] = await server().ask([[request(1, 'ping')]]);
    expect(answer).toMatchObject({ id: null, error: { code: -32_600 } });
  });

  test('takes an id twice only when the first is done', async () => {
    const held = new Held();
    const rig = server({ requests: { 'tools/call': held.handle } });
    expect(await rig.ask([request(1, 'ping'), request(1, 'ping')])).toHaveLength(2);
    const answer = rig.ask([request(1, 'tools/call', call()), request(1, 'ping')]);
    held.finish();
    expect((await answer).map((one) => one.error?.code)).toEqual([undefined, -32_600]);
  });

  test.each([undefined, revision20241105, revision20250618, revision20251125])(
    'is refused as a whole outside its revision: %#',
    async (revision) => {
      const rig = new Rig({ ...(revision && { revision }), requests: { ping: () => ({}) } });
      const message = 'A list of messages cannot be taken here; send one message at a time.';
      expect((await rig.ask([request(1, 'ping')])).error).toEqual({ code: -32_600, message });
    },
  );

  test('from a server is answered by its client, who does not correct it', async () => {
    const rig = server({ side: 'client' });
    expect(await rig.ask([request(1, 'ping'), notification('no/such')])).toEqual([
      { jsonrpc: '2.0', id: 1, result: {} },
    ]);
    expect(rig.deliver([])).toBeUndefined();
    expect(rig.errors).toMatchObject([{ where: 'batch' }]);
  });
});

describe('a batch that goes out', () => {
  const calls = [
    { method: 'ping', params: {} },
    { method: 'tools/list', params: {} },
  ] as const;
  const client = (more: RigOptions = {}) => new Rig({ side: 'client', revision: revision20250326, ...more });

  test('is one frame, and each request settles on its own', async () => {
    shows('2025-03-26/json-rpc/send-batches');
    const rig = client();
    const [ping, list] = rig.endpoint.batch(calls);
    expect(rig.connection.sent).toMatchObject([
      [
        { id: 1, method: 'ping' },
        { id: 2, method: 'tools/list' },
      ],
    ]);
    rig.hand([{ jsonrpc: '2.0', id: 2, error: { code: -1, message: 'no' } }]);
    await expect(list).rejects.toMatchObject({ code: -1 });
    expect(rig.endpoint.pending).toBe(1);
    rig.hand({ jsonrpc: '2.0', id: 1, result: {} });
    expect(await ping).toEqual({});
  });

  test('leaves out what cannot be sent', async () => {
    const rig = client({ limits: { pending: 1 } });
    const [ping, list] = rig.endpoint.batch(calls);
    expect(rig.connection.sent).toMatchObject([[{ id: 1 }]]);
    await expect(list).rejects.toMatchObject({ reason: 'limit' });
    rig.hand({ jsonrpc: '2.0', id: 1, result: {} });
    await ping;
  });

  test('a transport that fails to send a batch fails only that batch', async () => {
    const rig = client();
    const other = rig.endpoint.request('ping', {});
    rig.connection.onSend = () => Promise.reject(new Error('broken pipe'));
    const outcomes = await Promise.allSettled(rig.endpoint.batch(calls));
    expect(outcomes.map((one) => one.status)).toEqual(['rejected', 'rejected']);
    expect(rig.endpoint.pending).toBe(1);
    rig.hand({ jsonrpc: '2.0', id: 1, result: {} });
    expect(await other).toEqual({});
  });

  test.each([
    ['the revision has none', { revision: revision20250618 }],
    ['it is larger than the bound', { limits: { batch: 1 } }],
    ['middleware wants to see each request', { middleware: [(_: unknown, next: () => never) => next()] }],
  ])('goes one by one where %s', async (_, more) => {
    const rig = client(more as RigOptions);
    const answers = rig.endpoint.batch(calls);
    await settled();
    expect(rig.connection.sent.map((one) => one.method)).toEqual(['ping', 'tools/list']);
    rig.endpoint.closed();
    await Promise.allSettled(answers);
  });

  test('never holds initialize', async () => {
    shows('2025-03-26/lifecycle/not-in-batch');
    const rig = client();
    const params = {
      protocolVersion: '2025-03-26',
      capabilities: {},
      clientInfo: { name: 'c', version: '1' },
    };
    const answers = rig.endpoint.batch([{ method: 'initialize', params }, calls[0]]);
    expect(rig.connection.sent.map((one) => one.method)).toEqual(['initialize', 'ping']);
    rig.endpoint.closed();
    await Promise.allSettled(answers);
  });
});
