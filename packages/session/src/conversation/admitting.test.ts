import type { Revision } from '@tenon/mcp-protocol';
import {
  revision20241105,
  revision20250326,
  revision20250618,
  revision20251125,
  revision20260728,
} from '@tenon/mcp-protocol/internal';
import { describe, expect, test } from 'vitest';
import { shows, showsBy } from '../../../../tooling/suite/shows.js';
import { settled } from '../../../testing/src/fake-clock.js';
import { call, deferred, Held, modern, notification, Rig, request } from '../../test/rig.js';
import type { Endpoint } from './endpoint.js';

const handshakes: readonly Revision[] = [
  revision20241105,
  revision20250326,
  revision20250618,
  revision20251125,
];

function opening(version: string): object {
  return { protocolVersion: version, capabilities: {}, clientInfo: { name: 'c', version: '1' } };
}

function server(more: ConstructorParameters<typeof Rig>[0] = {}): Rig {
  return new Rig({
    ...more,
    requests: {
      initialize: (incoming) => {
        (incoming.host.conversation as Endpoint).settle(incoming.revision);
        return {
          protocolVersion: incoming.revision.id,
          capabilities: {},
          serverInfo: { name: 's', version: '1' },
        };
      },
      ping: () => ({}),
      'tools/call': () => ({ content: [] }),
      ...more.requests,
    },
  });
}

describe.each(handshakes)('$id', (revision) => {
  test('takes nothing but ping before it is initialized', async () => {
    showsBy(revision.id, { '2024-11-05': '2024-11-05/basic/lifecycle/first-interaction' });
    const rig = server({ revisions: [revision] });
    expect(await rig.ask(request(1, 'tools/call', call()))).toEqual({
      jsonrpc: '2.0',
      id: 1,
      error: { code: -32_600, message: 'There is no session yet; send initialize first.' },
    });
    expect(await rig.ask(request(2, 'ping'))).toEqual({ jsonrpc: '2.0', id: 2, result: {} });
    expect(rig.endpoint.revision).toBeUndefined();
    await rig.ask(request(3, 'initialize', opening(revision.id)));
    expect(rig.endpoint.revision).toBe(revision);
    expect((await rig.ask(request(4, 'tools/call', call()))).result).toBeDefined();
  });

  test('is initialized once', async () => {
    showsBy(revision.id, { '2024-11-05': '2024-11-05/basic/versioning/one-version' });
    const rig = server();
    await rig.ask(request(1, 'initialize', opening(revision.id)));
    const again = await rig.ask(request(2, 'initialize', opening('2025-11-25')));
    expect(again.error).toEqual({
      code: -32_600,
      message: 'This session is initialized already; open another connection to start anew.',
    });
    expect(rig.endpoint.revision).toBe(revision);
  });

  test('serves a stateless request beside the session, and keeps the two apart', async () => {
    showsBy(revision.id, {
      '2025-11-25': [
        '2026-07-28/basic/index/no-context-of-requests',
        '2026-07-28/basic/versioning/dual-server-by-initialize',
      ],
    });
    const seen: unknown[] = [];
    const rig = server({
      requests: {
        'tools/call': (incoming) => {
          seen.push(incoming.revision.id, incoming.from.clientCapabilities);
          return { content: [] };
        },
      },
    });
    expect((await rig.ask(modern(1, 'tools/call', call()))).result).toMatchObject({ resultType: 'complete' });
    expect(rig.endpoint.revision).toBeUndefined();
    await rig.ask(request(2, 'initialize', opening(revision.id)));
    rig.endpoint.peer = { clientCapabilities: { roots: {} } };
    await rig.ask(modern(3, 'tools/call', call()));
    await rig.ask(request(4, 'tools/call', call()));
    expect(seen).toEqual(['2026-07-28', {}, '2026-07-28', {}, revision.id, { roots: {} }]);
    expect(rig.endpoint.revision).toBe(revision);
  });
});

test('a second initialize is refused while the first one runs', async () => {
  const gate = deferred<undefined>();
  const slowly = async (_: unknown, next: () => Promise<Record<string, unknown>>) => {
    await gate.promise;
    return next();
  };
  const rig = server({ middleware: [slowly as never] });
  const first = rig.ask(request(1, 'initialize', opening('2025-06-18')));
  const second = await rig.ask(request(2, 'initialize', opening('2024-11-05')));
  expect(second.error).toEqual({ code: -32_600, message: 'This session is being initialized already.' });
  gate.resolve(undefined);
  expect((await first).result).toMatchObject({ protocolVersion: '2025-06-18' });
  expect(rig.endpoint.revision).toBe(revision20250618);
});

test('an initialize without a version is a matter of its params', async () => {
  const rig = server();
  expect((await rig.ask(request(1, 'initialize', {}))).error).toMatchObject({ code: -32_602 });
  expect(rig.endpoint.revision).toBeUndefined();
});

test('a server without a handshake names what it speaks when it refuses one', async () => {
  const rig = server({ revisions: [revision20260728] });
  expect((await rig.ask(request(1, 'initialize', opening('2025-11-25')))).error).toEqual({
    code: -32_022,
    message: 'Unsupported protocol version: this server speaks 2026-07-28, without initialize.',
    data: { supported: ['2026-07-28'], requested: '2025-11-25' },
  });
});

describe('the id of what cannot be read', () => {
  test.each([
    [undefined, false],
    [revision20241105, true],
    [revision20250326, true],
    [revision20250618, true],
    [revision20251125, false],
  ])('is null or absent as the revision has it: %#', async (revision, written) => {
    const rig = server(revision && { revision });
    const parse = JSON.parse((await rig.endpoint.malformed('bad', rig.connection)) as string);
    expect(parse.error).toEqual({ code: -32_700, message: 'bad' });
    expect('id' in parse).toBe(written);
    const answer = await rig.ask({ jsonrpc: '2.0', id: 1.5, method: 'ping' });
    expect('id' in answer).toBe(written);
  });
});

describe('what must not be answered', () => {
  test.each<[string, object, ...string[]]>([
    ['a response that is none', { id: 7, result: {} }],
    ['a response to nothing', { jsonrpc: '2.0', id: 7, result: {} }],
    [
      'a notification with bad params',
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: [] },
      '2026-07-28/basic/index/notification-unanswered',
    ],
    ['an unknown notification', notification('no/such'), '2026-07-28/basic/index/notification-unanswered'],
    [
      'a cancellation of nothing',
      notification('notifications/cancelled', { requestId: 99 }),
      '2024-11-05/basic/utilities/cancellation/unknown-id',
      '2026-07-28/basic/patterns/cancellation/invalid-unknown',
    ],
    [
      'a malformed cancellation',
      notification('notifications/cancelled', { requestId: {} }),
      '2024-11-05/basic/utilities/cancellation/malformed',
      '2026-07-28/basic/patterns/cancellation/invalid-malformed',
    ],
  ])('%s', async (_, value, ...ids) => {
    shows(...ids);
    const rig = server({ revision: revision20250618 });
    expect(await rig.deliver(value)).toBeUndefined();
  });
});

describe('a client', () => {
  const asked = () => ({ roots: [] });

  test('answers only ping before there is a session', async () => {
    const rig = new Rig({ side: 'client', requests: { ping: () => ({}), 'roots/list': asked } });
    expect((await rig.ask(request(1, 'ping'))).result).toEqual({});
    expect((await rig.ask(request(2, 'roots/list'))).error).toEqual({
      code: -32_600,
      message: 'There is no session yet; answer initialize first.',
    });
  });

  test('answers no request where servers may not send any', async () => {
    shows(
      '2026-07-28/basic/patterns/index/no-server-requests',
      '2026-07-28/basic/patterns/index/no-client-responses',
      '2026-07-28/basic/transports/stdio/no-responses',
      '2026-07-28/basic/transports/streamable-http/no-responses',
    );
    const rig = new Rig({ side: 'client', revision: revision20260728, requests: { 'roots/list': asked } });
    expect(await rig.deliver(request(1, 'roots/list'))).toBeUndefined();
    expect(rig.errors[0]?.error).toMatchObject({ reason: 'invalid-answer' });
  });

  test('answers a bad request it can name, and nothing it cannot', async () => {
    const rig = new Rig({ side: 'client', revision: revision20250618, requests: { ping: () => ({}) } });
    expect((await rig.ask(request(1, 'ping', [1]))).error).toEqual({
      code: -32_602,
      message: 'params: expected an object',
    });
    expect(await rig.deliver('Server started on port 80')).toBeUndefined();
    expect(await rig.endpoint.malformed('banner', rig.connection)).toBeUndefined();
    expect(rig.errors.map((one) => one.where)).toEqual(['bad-params', 'not-a-message', 'malformed']);
  });

  test('answers no bad request where servers may not send any', async () => {
    shows('2026-07-28/basic/transports/stdio/no-responses');
    const rig = new Rig({ side: 'client', revision: revision20260728 });
    expect(await rig.deliver(request(1, 'ping', [1]))).toBeUndefined();
  });

  test('reports an error that names no request', async () => {
    const rig = new Rig({ side: 'client', revision: revision20250618 });
    await rig.deliver({ jsonrpc: '2.0', id: null, error: { code: -32_700, message: 'what?' } });
    expect(rig.errors).toMatchObject([
      { error: { name: 'RemoteError', code: -32_700 }, where: 'a response without id' },
    ]);
  });
});

describe('the bound on requests in flight', () => {
  test('refuses what is beyond it, and takes more once one is done', async () => {
    const held = new Held();
    const rig = server({
      revision: revision20250618,
      limits: { inFlight: 2 },
      requests: { 'tools/call': held.handle },
    });
    rig.hand(request(1, 'tools/call', call()));
    rig.hand(request(2, 'tools/call', call()));
    expect((await rig.ask(request(3, 'tools/call', call()))).error).toEqual({
      code: -31_001,
      message:
        '2 requests are still worked on, those that were cancelled or stopped included. Try again later.',
    });
    held.finish(0);
    await settled();
    expect(rig.endpoint.inFlight).toBe(1);
    rig.hand(request(4, 'tools/call', call()));
    expect(held.requests.map((one) => one.id)).toEqual([1, 2, 4]);
  });

  test('counts handlers that go on after their request was cancelled', async () => {
    const held = new Held();
    const rig = server({
      revision: revision20250618,
      limits: { inFlight: 1 },
      requests: { 'tools/call': held.handle },
    });
    rig.hand(request(1, 'tools/call', call()));
    await rig.deliver(notification('notifications/cancelled', { requestId: 1 }));
    expect((await rig.ask(request(1, 'tools/call', call()))).error).toMatchObject({ code: -31_001 });
    held.finish();
    await settled();
    expect(rig.endpoint.inFlight).toBe(0);
  });
});

test('an id is refused while it is in flight, and 3 is not "3"', async () => {
  shows('2024-11-05/basic/messages/id-not-reused', '2026-07-28/basic/index/request-id-unique');
  const held = new Held();
  const rig = server({ revision: revision20250618, requests: { 'tools/call': held.handle } });
  rig.hand(request(3, 'tools/call', call()));
  expect((await rig.ask(request(3, 'tools/call', call()))).error).toEqual({
    code: -32_600,
    message: 'A request with this id is still being handled.',
  });
  rig.hand(request('3', 'tools/call', call()));
  expect(held.requests.map((one) => one.id)).toEqual([3, '3']);
  expect((await rig.ask(request('3', 'tools/call', call()))).error).toMatchObject({ code: -32_600 });
  held.finish(0);
  await settled();
  rig.hand(request(3, 'tools/call', call()));
  expect(held.requests).toHaveLength(3);
});
