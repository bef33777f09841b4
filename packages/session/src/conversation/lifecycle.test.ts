import { type Exchange, type Revision, revisions } from '@tenon/mcp-protocol';
import {
  revision20250326,
  revision20250618,
  revision20251125,
  revision20260728,
} from '@tenon/mcp-protocol/internal';
import { describe, expect, test } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import { call, Held, modern, notification, Rig, request } from '../../test/rig.js';
import type { RequestHandler } from '../requests/behaviour.js';
import { statelessEndpoint } from './stateless-endpoint.js';

function end(handle: RequestHandler['handle'], supported: readonly Revision[] = revisions) {
  const rig = new Rig({ revisions: supported, requests: { 'tools/call': handle, ping: () => ({}) } });
  const endpoint = statelessEndpoint(rig.behaviour);
  const ask = async (value: unknown) => {
    const answer = await endpoint.receive(value, rig.connection);
    return answer === undefined ? undefined : JSON.parse(answer);
  };
  return { rig, endpoint, ask };
}

const done = () => ({ content: [] });

test('two peers may use the same id at the same time', async () => {
  shows('2026-07-28/basic/index/many-conversations');
  const held = new Held();
  const { ask } = end(held.handle);
  const answers = [ask(modern(1, 'tools/call', call())), ask(modern(1, 'tools/call', call()))];
  held.finish(1, { content: [{ type: 'text', text: 'second' }] });
  held.finish(0);
  expect((await Promise.all(answers)).map((one) => one.result.content.length)).toEqual([0, 1]);
});

test('a cancellation of one peer reaches no other', async () => {
  const held = new Held();
  const { ask, endpoint, rig } = end(held.handle);
  const answer = ask(modern(1, 'tools/call', call()));
  expect(
    endpoint.receive(notification('notifications/cancelled', { requestId: 1 }), rig.connection),
  ).toBeUndefined();
  expect(held.requests[0]?.cancelled).toBe(false);
  held.finish();
  expect((await answer).result).toBeDefined();
});

test('a request is cancelled by the end of its exchange', async () => {
  const held = new Held();
  const { endpoint } = end(held.handle);
  const ended = new AbortController();
  const exchange: Exchange = { facts: {}, signal: ended.signal, send: () => undefined };
  const answer = endpoint.receive(modern(1, 'tools/call', call()), exchange);
  const { signal } = held.requests[0]!;
  ended.abort();
  expect(signal.aborted).toBe(true);
  held.finish();
  expect(await answer).toBeUndefined();
});

test('rejects requests to the client in the stateless revision', async () => {
  shows(
    '2026-07-28/basic/patterns/index/no-server-requests',
    '2026-07-28/basic/transports/stdio/no-server-requests',
  );
  const held = new Held();
  const { ask } = end(held.handle);
  const answer = ask(modern(1, 'tools/call', call()));
  await expect(held.requests[0]!.ask('roots/list', {})).rejects.toMatchObject({ reason: 'not-in-revision' });
  held.finish();
  await answer;
});

describe('what belongs to a session', () => {
  test('initialize is refused with what is spoken', async () => {
    const { ask } = end(done, [revision20260728]);
    expect((await ask(request(1, 'initialize', { protocolVersion: '2025-11-25' }))).error).toMatchObject({
      code: -32_022,
      message: expect.stringContaining('2026-07-28'),
      data: { supported: ['2026-07-28'], requested: '2025-11-25' },
    });
  });

  test.each(['ping', 'tools/call'])('%s without a revision is refused', async (method) => {
    const { ask } = end(done);
    expect((await ask(request(1, method))).error).toMatchObject({ code: -32_602 });
  });

  test('a stateless request is rejected by a server with handshake revisions only', async () => {
    const { ask } = end(done, [revision20251125]);
    expect((await ask(modern(1, 'tools/call', call()))).error).toMatchObject({ code: -32_600 });
  });

  test('responses and notifications have no answer, broken ones neither', async () => {
    const { ask } = end(done);
    expect(await ask({ jsonrpc: '2.0', id: 1, result: {} })).toBeUndefined();
    expect(await ask({ id: 1, result: {} })).toBeUndefined();
    expect(await ask(notification('notifications/initialized'))).toBeUndefined();
  });
});

test('what cannot be read is refused without an id', async () => {
  shows('2026-07-28/basic/index/error-id');
  const { ask, endpoint, rig } = end(done);
  expect(JSON.parse(String(endpoint.malformed('bad', rig.connection)))).toEqual({
    jsonrpc: '2.0',
    error: { code: -32_700, message: 'bad' },
  });
  expect(await ask([modern(1, 'tools/call', call())])).toMatchObject({ error: { code: -32_600 } });
  expect(await ask(modern(1.5, 'tools/call'))).not.toHaveProperty('id');
});

/** An exchange with a revision that the route has decided. */
function routed(revision: Revision, more: Partial<Exchange> = {}): Exchange {
  return { facts: { revision }, send: () => undefined, ...more };
}

describe('where the route has decided the revision', () => {
  test('a request that states none is one of it', async () => {
    const seen: string[] = [];
    const { endpoint } = end((request) => {
      seen.push(request.revision.id);
      return done();
    });
    const answer = await endpoint.receive(request(1, 'tools/call', call()), routed(revision20251125));
    expect(JSON.parse(answer ?? '')).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: { content: [], isError: false },
    });
    expect(seen).toEqual(['2025-11-25']);
  });

  test('a request that states another version is still one of it', async () => {
    const { endpoint } = end(done);
    const answer = await endpoint.receive(modern(1, 'tools/call', call()), routed(revision20251125));
    expect(JSON.parse(answer ?? '').result).toEqual({ content: [], isError: false });
  });

  test('a request of a stateless revision still has to state it', async () => {
    const { endpoint } = end(done);
    const answer = await endpoint.receive(modern(1, 'tools/call', call()), routed(revision20260728));
    expect(JSON.parse(answer ?? '').result.resultType).toBe('complete');
    const unstated = await endpoint.receive(request(1, 'tools/call', call()), routed(revision20260728));
    expect(JSON.parse(unstated ?? '').error.code).toBe(-32_602);
  });

  test('a batch is answered, each request on its own', async () => {
    const { endpoint } = end(done);
    const batch = [request(1, 'tools/call', call()), request(1, 'ping'), request(2, 'initialize')];
    const answer = await endpoint.receive(batch, routed(revision20250326));
    expect(JSON.parse(answer ?? '')).toMatchObject([
      { id: 1, result: { content: [] } },
      { id: 1, result: {} },
      { id: 2, error: { code: -32_600 } },
    ]);
    expect(JSON.parse(String(endpoint.receive([], routed(revision20250326))))).toMatchObject({
      error: { code: -32_600 },
    });
  });

  test('what cannot be read is refused as that revision does', () => {
    const { endpoint } = end(done);
    expect(JSON.parse(String(endpoint.receive({ id: {} }, routed(revision20250618))))).toMatchObject({
      id: null,
      error: { code: -32600 },
    });
  });

  test('an answer to no pending request is accepted', () => {
    const { endpoint } = end(done);
    const statuses: number[] = [];
    const refused = (status: number) => void statuses.push(status);
    const answer = { jsonrpc: '2.0', id: 1, result: {} };
    expect(endpoint.receive(answer, routed(revision20251125, { refused }))).toBeUndefined();
    expect(statuses).toEqual([]);
    expect(endpoint.receive(answer, routed(revision20260728, { refused }))).toBeUndefined();
    expect(statuses).toEqual([400]);
  });
});
