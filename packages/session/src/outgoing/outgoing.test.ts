import { getEventListeners } from 'node:events';
import { MetaKey, type RequestStamp, type Revision, type UnknownObject } from '@tenon/mcp-protocol';
import { revision20241105, revision20250618, revision20260728 } from '@tenon/mcp-protocol/internal';
import { describe, expect, test } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import { settled } from '../../../testing/src/fake-clock.js';
import { deferred, notification, Rig, type RigOptions } from '../../test/rig.js';

function client(more: RigOptions = {}): Rig {
  return new Rig({ side: 'client', revision: revision20250618, ...more });
}

const result = (id: unknown, value: object = {}) => ({ jsonrpc: '2.0', id, result: value });
const tool = { name: 'x' };
const opening = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'c', version: '1' } };

describe('answers', () => {
  test('find their requests in any order', async () => {
    shows('2024-11-05/basic/messages/response-id');
    const rig = client();
    const first = rig.endpoint.request('tools/call', tool);
    const second = rig.endpoint.request('ping', {});
    expect(rig.connection.sent).toEqual([
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'x' } },
      { jsonrpc: '2.0', id: 2, method: 'ping' },
    ]);
    expect(rig.connection.envelopes).toEqual([{ id: 1 }, { id: 2 }]);
    rig.hand(result(2));
    rig.hand(result(1, { content: [] }));
    expect(await second).toEqual({});
    expect(await first).toEqual({ content: [] });
    expect(rig.endpoint.pending).toBe(0);
  });

  test('an error is what the peer said', async () => {
    shows('2026-07-28/basic/index/error-data');
    const rig = client();
    const answer = rig.endpoint.request('ping', {});
    rig.hand({ jsonrpc: '2.0', id: 1, error: { code: -32_603, message: 'm', data: { a: 1 } } });
    await expect(answer).rejects.toMatchObject({
      name: 'RemoteError',
      code: -32_603,
      message: 'ping: m',
      data: { a: 1 },
    });
  });

  test.each([
    [
      'a result that is none',
      { result: [] },
      'The answer to tools/list is not valid: result: expected an object',
      '2026-07-28/basic/index/result-any-object',
    ],
    [
      'a result of another shape',
      { result: {} },
      'The answer to tools/list is not valid: result.tools: is required',
      '2024-11-05/server/tools/results-validated',
      '2025-11-25-server-features/tools/results-validated',
      '2026-07-28/server/tools/client-validates',
      'draft-tools/tools/results-validated',
    ],
  ])('%s fails its request', async (...[, members, message, ...ids]) => {
    shows(...ids);
    const rig = client();
    const answer = rig.endpoint.request('tools/list', {});
    rig.hand({ jsonrpc: '2.0', id: 1, ...members });
    await expect(answer).rejects.toMatchObject({ reason: 'invalid-answer', message });
  });

  test('a result and an error together fail the request', async () => {
    shows('2024-11-05/basic/messages/not-both');
    const rig = client();
    const answer = rig.endpoint.request('ping', {});
    rig.hand({ jsonrpc: '2.0', id: 1, result: {}, error: { code: 1, message: 'm' } });
    await expect(answer).rejects.toMatchObject({
      reason: 'invalid-answer',
      message:
        'ping: The answer cannot be read: a response must have either a result or a well-formed error.',
    });
  });

  test('fails a request when the response has neither a result nor an error', async () => {
    shows('2024-11-05/basic/messages/result-or-error', '2026-07-28/basic/index/result-member');
    const rig = client();
    const answer = rig.endpoint.request('ping', {});
    rig.hand({ jsonrpc: '2.0', id: 1 });
    await expect(answer).rejects.toMatchObject({ reason: 'invalid-answer' });
  });
});

describe('requests that are not sent', () => {
  test('before the handshake', async () => {
    shows('2024-11-05/basic/lifecycle/client-waits');
    const rig = new Rig({ side: 'client' });
    await expect(rig.endpoint.request('ping', {})).rejects.toMatchObject({ reason: 'not-in-revision' });
    expect(rig.endpoint.notify('notifications/initialized', {})).toBeUndefined();
    expect(rig.connection.sent).toEqual([]);
  });

  test('what the revision does not have', async () => {
    const rig = client();
    await expect(rig.endpoint.request('server/discover', {})).rejects.toMatchObject({
      reason: 'not-in-revision',
    });
    await expect(rig.endpoint.request('roots/list', {})).rejects.toMatchObject({ reason: 'not-in-revision' });
    expect(rig.endpoint.notify('notifications/tools/list_changed', {})).toBeUndefined();
    expect(rig.connection.sent).toEqual([]);
  });

  test('more than may wait', async () => {
    const rig = client({ limits: { pending: 1 } });
    const first = rig.endpoint.request('ping', {});
    await expect(rig.endpoint.request('ping', {})).rejects.toMatchObject({ reason: 'limit' });
    rig.hand(result(1));
    await first;
    const third = rig.endpoint.request('ping', {});
    expect(rig.connection.sent).toHaveLength(2);
    rig.hand(result(2));
    await third;
  });

  test('what cannot be written', async () => {
    const rig = client();
    const params = { name: 'x', arguments: { n: 1n } } as never;
    await expect(rig.endpoint.request('tools/call', params)).rejects.toThrow(TypeError);
    expect(rig.endpoint.pending).toBe(0);
  });

  test.each([{ timeout: 0 }, { timeout: Number.NaN }, { total: -1 }])(
    'what has no time: %j',
    async (options) => {
      await expect(client().endpoint.request('ping', {}, options)).rejects.toThrow(RangeError);
    },
  );

  test('what its caller has cancelled already', async () => {
    shows('2026-07-28/basic/patterns/cancellation/references-own');
    const rig = client();
    const signal = AbortSignal.abort('changed my mind');
    await expect(rig.endpoint.request('ping', {}, { signal })).rejects.toMatchObject({
      reason: 'cancelled',
      cause: 'changed my mind',
    });
    expect(rig.connection.sent).toEqual([]);
  });
});

test('passes headers to the transport and the id to onId', async () => {
  const rig = client();
  const ids: unknown[] = [];
  const answer = rig.endpoint.request('ping', {}, { headers: { 'x-a': 'b' }, onId: (id) => ids.push(id) });
  expect(rig.connection.envelopes).toEqual([{ id: 1, headers: { 'x-a': 'b' } }]);
  expect(ids).toEqual([1]);
  rig.hand(result(1));
  await answer;
});

test('a stateless request says who asks, with the log level it wants', () => {
  shows('2026-07-28/basic/index/meta-required');
  const rig = client({ revision: revision20260728 });
  void rig.endpoint.request('tools/list', {}, { logLevel: 'error' }).catch(() => undefined);
  expect(rig.connection.last.params?._meta).toEqual({
    [MetaKey.protocolVersion]: '2026-07-28',
    [MetaKey.clientCapabilities]: {},
    [MetaKey.logLevel]: 'error',
  });
});

test('requests that want the same log level share their stamp', () => {
  const stamps: RequestStamp[] = [];
  const { codec } = revision20260728;
  const revision: Revision = {
    ...revision20260728,
    codec: {
      ...codec,
      stampRequest(params, stamp) {
        stamps.push(stamp);
        return codec.stampRequest(params, stamp);
      },
    },
  };
  const rig = client({ revision });
  for (const logLevel of ['error', 'error', 'info'] as const) {
    void rig.endpoint.request('tools/list', {}, { logLevel }).catch(() => undefined);
  }
  expect(stamps.map((stamp) => stamp.logLevel)).toEqual(['error', 'error', 'info']);
  expect(stamps[1]).toBe(stamps[0]);
});

describe('a caller that cancels', () => {
  test('stops waiting, tells the peer and ignores the late answer', async () => {
    shows(
      '2024-11-05/basic/utilities/cancellation/own-requests',
      '2024-11-05/basic/utilities/cancellation/late-answer-ignored',
      '2024-11-05/basic/utilities/cancellation/races',
      '2025-03-26/cancellation/reason',
      '2026-07-28/basic/patterns/cancellation/client-cancels',
      '2026-07-28/basic/patterns/cancellation/stdio-notification',
      '2026-07-28/basic/patterns/cancellation/ignore-late-response',
      '2026-07-28/basic/transports/stdio/cancel-by-notification',
    );
    const rig = client();
    const abort = new AbortController();
    const answer = rig.endpoint.request('tools/call', tool, { signal: abort.signal });
    abort.abort('The user went away.');
    await expect(answer).rejects.toMatchObject({ reason: 'cancelled', cause: 'The user went away.' });
    expect(rig.connection.last).toEqual(
      notification('notifications/cancelled', { requestId: 1, reason: 'The user went away.' }),
    );
    rig.hand(result(1, { content: [] }));
    expect(rig.errors).toEqual([]);
  });

  test('keeps a reason that is not a text to itself', async () => {
    shows('2025-03-26/cancellation/reason', '2026-07-28/index/privacy');
    const rig = client();
    const abort = new AbortController();
    const answer = rig.endpoint.request('tools/call', tool, { signal: abort.signal });
    const secret = new Error('secret');
    abort.abort(secret);
    await expect(answer).rejects.toMatchObject({ cause: secret });
    expect(rig.connection.last).toEqual(notification('notifications/cancelled', { requestId: 1 }));
  });

  test('never tells of initialize', async () => {
    shows('2024-11-05/basic/utilities/cancellation/not-initialize');
    const rig = client();
    const abort = new AbortController();
    const answer = rig.endpoint.request('initialize', opening, { signal: abort.signal });
    abort.abort();
    await expect(answer).rejects.toMatchObject({ reason: 'cancelled' });
    expect(rig.connection.sent).toHaveLength(1);
  });

  test('after the answer changes nothing, and no listener stays on the signal', async () => {
    shows(
      '2024-11-05/basic/utilities/cancellation/running-requests',
      '2026-07-28/basic/patterns/cancellation/references-own',
      '2026-07-28/basic/patterns/cancellation/races',
    );
    const rig = client();
    const abort = new AbortController();
    const answer = rig.endpoint.request('ping', {}, { signal: abort.signal });
    expect(getEventListeners(abort.signal, 'abort')).toHaveLength(1);
    rig.hand(result(1));
    await answer;
    expect(getEventListeners(abort.signal, 'abort')).toEqual([]);
    abort.abort();
    expect(rig.connection.sent).toHaveLength(1);
  });

  test('uses the cancel method of the transport if there is one', async () => {
    const rig = client();
    const cancelled: unknown[] = [];
    Object.assign(rig.connection, { cancel: (id: unknown) => cancelled.push(id) > 0 });
    const abort = new AbortController();
    const answer = rig.endpoint.request('ping', {}, { signal: abort.signal });
    abort.abort();
    await expect(answer).rejects.toMatchObject({ reason: 'cancelled' });
    expect(cancelled).toEqual([1]);
    expect(rig.connection.sent).toHaveLength(1);
  });
});

describe('a transport that fails', () => {
  test.each([
    [
      'throws',
      () => {
        throw new Error('broken pipe');
      },
    ],
    ['rejects', () => Promise.reject(new Error('broken pipe'))],
  ])('%s: the request fails with its error, and a notification breaks nothing', async (_, onSend) => {
    const rig = client();
    rig.connection.onSend = onSend;
    await expect(rig.endpoint.request('ping', {})).rejects.toThrow('broken pipe');
    expect(rig.endpoint.pending).toBe(0);
    const sent = rig.endpoint.notify('notifications/roots/list_changed', {});
    await expect(sent).rejects.toThrow('broken pipe');
    void rig.endpoint.notify('notifications/roots/list_changed', {});
    await settled();
  });

  test('a cancellation that cannot be sent is let go', async () => {
    const rig = client();
    const abort = new AbortController();
    const answer = rig.endpoint.request('ping', {}, { signal: abort.signal });
    rig.connection.onSend = () => {
      throw new Error('broken pipe');
    };
    abort.abort();
    await expect(answer).rejects.toMatchObject({ reason: 'cancelled' });
    await settled();
  });

  test('that only asks for patience fails nothing', async () => {
    const rig = client();
    const drained = deferred<void>();
    rig.connection.onSend = () => drained.promise;
    const answer = rig.endpoint.request('ping', {});
    rig.hand(result(1));
    expect(await answer).toEqual({});
    drained.resolve();
  });
});

describe('a server that cancels', () => {
  test('ends a stream where that is all it may cancel', async () => {
    const rig = client({ revision: revision20260728 });
    const answer = rig.endpoint.request('subscriptions/listen', {
      notifications: {},
    } as UnknownObject as never);
    rig.hand(notification('notifications/cancelled', { requestId: 1, reason: 'restarting' }));
    await expect(answer).rejects.toMatchObject({
      reason: 'closed',
      message: 'subscriptions/listen: restarting',
    });
    expect(rig.connection.sent).toHaveLength(1);
  });

  test('does not end requests of its client elsewhere', async () => {
    const rig = client({ revision: revision20241105 });
    const answer = rig.endpoint.request('ping', {});
    rig.hand(notification('notifications/cancelled', { requestId: 1 }));
    expect(rig.endpoint.pending).toBe(1);
    rig.hand(result(1));
    await answer;
  });
});

describe('the envelope of a frame', () => {
  const carrying = (more: RigOptions = {}) => {
    const rig = client(more);
    Object.assign(rig.connection, { carriesHeaders: true });
    return rig;
  };
  const send = (rig: Rig, ...given: Parameters<Rig['endpoint']['request']>) => {
    rig.endpoint.request(...given).catch(() => undefined);
    return rig.connection.envelopes.at(-1);
  };
  const newest = { revision: revision20260728 };

  test('has the headers that repeat the body, in revisions that define them', () => {
    shows(
      '2026-07-28/basic/transports/index/mirrored',
      '2026-07-28/basic/transports/streamable-http/metadata-headers',
      '2026-07-28/basic/transports/streamable-http/mcp-name-encoded',
      '2026-07-28/basic/transports/streamable-http/client-extracts',
    );
    const rig = carrying(newest);
    expect(send(rig, 'tools/call', { name: 'é' })).toEqual({
      id: 1,
      headers: { 'mcp-method': 'tools/call', 'mcp-name': '=?base64?w6k=?=' },
    });
    expect(send(rig, 'tools/list', {})).toEqual({ id: 2, headers: { 'mcp-method': 'tools/list' } });
    expect(send(carrying(), 'tools/call', tool)).toEqual({ id: 1 });
    expect(send(client(newest), 'tools/call', tool)).toEqual({ id: 1 });
  });

  test('has the headers of the caller, in any revision', () => {
    const headers = { 'mcp-param-region': 'eu' };
    expect(send(carrying(newest), 'tools/call', tool, { headers })).toEqual({
      id: 1,
      headers: { 'mcp-method': 'tools/call', 'mcp-name': 'x', ...headers },
    });
    expect(send(carrying(), 'tools/call', tool, { headers })).toEqual({ id: 1, headers });
  });

  test('that it opens a session', () => {
    expect(send(carrying(), 'initialize', opening)).toEqual({ id: 1, opening: true });
    expect(send(carrying(), 'ping', {})).not.toHaveProperty('opening');
  });
});
