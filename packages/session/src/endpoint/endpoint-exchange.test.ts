import { type Exchange, revisions } from '@tenon/mcp-protocol';
import { revision20250326, revision20251125 } from '@tenon/mcp-protocol/internal';
import { describe, expect, test } from 'vitest';
import { call, Held, modern, notification, Rig, request } from '../../test/rig.js';
import type { RequestHandler } from './behaviour.js';
import { Endpoint } from './endpoint.js';
import { statelessEndpoint } from './stateless-endpoint.js';

/** An exchange that keeps what it is told. */
class Told implements Exchange {
  readonly facts = {};
  readonly statuses: number[] = [];
  readonly codes: number[] = [];
  gone = false;

  send(): undefined {}

  refused(status: number): void {
    this.statuses.push(status);
  }

  failed(code: number): void {
    this.codes.push(code);
  }
}

/** What each kind of end tells the exchange of one message. */
async function tell(value: unknown, handle: RequestHandler['handle'] = () => ({ content: [] })) {
  const rig = new Rig({ revisions, requests: { 'tools/call': handle }, onError: () => undefined });
  const told = new Told();
  const answer = await statelessEndpoint(rig.behaviour).receive(value, told);
  return { ...told, answer: answer === undefined ? undefined : JSON.parse(answer) };
}

describe('the exchange of a stateless request', () => {
  test('hears nothing of one that succeeds', async () => {
    expect(await tell(modern(1, 'tools/call', call()))).toMatchObject({ statuses: [], codes: [] });
  });

  test.each<[string, unknown, object]>([
    ['a method that is not there', modern(1, 'nobody/knows'), { codes: [-32601] }],
    ['params that do not fit', modern(1, 'tools/call', { name: 5 }), { codes: [-32602] }],
    [
      'a revision nobody speaks',
      request(1, 'x', { _meta: { 'io.modelcontextprotocol/protocolVersion': 'x' } }),
      { statuses: [400] },
    ],
    ['no revision', request(1, 'tools/call'), { statuses: [400] }],
    ['no message', 5, { statuses: [400] }],
    ['a list', [], { statuses: [400] }],
    ['an id that is none', modern({}, 'tools/call'), { statuses: [400] }],
    [
      'an answer: clients of this revision give none',
      { jsonrpc: '2.0', id: 1, result: {} },
      { statuses: [400] },
    ],
    ['a broken answer', { id: 1, result: {} }, { statuses: [400] }],
    ['a notification', notification('notifications/x'), { statuses: [], codes: [] }],
  ])('hears of %s', async (_title, value, expected) => {
    expect(await tell(value)).toMatchObject(expected);
  });

  test.each([
    ['throws', () => Promise.reject(new Error('boom'))],
    [
      'throws at once',
      () => {
        throw new Error('boom');
      },
    ],
  ])('hears that a handler %s', async (_title, handle) => {
    expect(await tell(modern(1, 'tools/call', call()), handle)).toMatchObject({
      codes: [-32603],
      answer: { error: { message: 'Internal error' } },
    });
  });

  test('hears of the code once, ahead of the answer', async () => {
    const told = new Told();
    const rig = new Rig({ revisions });
    const answer = statelessEndpoint(rig.behaviour).receive(modern(1, 'nobody/knows'), told);
    expect(told.codes).toEqual([-32601]);
    await answer;
    expect(told.codes).toEqual([-32601]);
  });

  test('that is gone cancels it, without a signal having been asked for', async () => {
    const held = new Held();
    const rig = new Rig({ revisions, requests: { 'tools/call': held.handle } });
    const told = new Told();
    const answer = statelessEndpoint(rig.behaviour).receive(modern(1, 'tools/call', call()), told);
    expect(held.requests[0]?.cancelled).toBe(false);
    told.gone = true;
    expect(held.requests[0]?.cancelled).toBe(true);
    held.finish();
    expect(await answer).toBeUndefined();
  });
});

describe('the exchange of a message in a session', () => {
  const receive = (value: unknown, revision = revision20251125) => {
    const rig = new Rig({ revision, onError: () => undefined });
    const told = new Told();
    void rig.endpoint.receive(value, told);
    return told;
  };

  test.each<[string, unknown]>([
    ['no message', 'x'],
    ['a list where there are none', [request(1, 'ping')]],
    ['a broken answer', { jsonrpc: '2.0', id: {}, result: {} }],
    ['another protocol', { id: 1, method: 'ping' }],
  ])('hears of %s', (_title, value) => {
    expect(receive(value).statuses).toEqual([400]);
  });

  test.each<[string, unknown]>([
    ['a request', request(1, 'ping')],
    ['a notification', notification('notifications/initialized')],
    ['an answer nobody waits for', { jsonrpc: '2.0', id: 1, result: {} }],
    ['a list with one bad entry', [request(1, 'ping'), 5]],
  ])('hears nothing of %s', (_title, value) => {
    expect(receive(value, revision20250326).statuses).toEqual([]);
  });

  test('hears of bytes that are no JSON', () => {
    const told = new Told();
    void new Rig({ revision: revision20251125, onError: () => undefined }).endpoint.malformed('bad', told);
    expect(told.statuses).toEqual([400]);
  });
});

test('a connection is told which revision is spoken, and by whom', () => {
  const rig = new Rig();
  const settled: unknown[] = [];
  Object.assign(rig.connection, { settled: (...given: unknown[]) => settled.push(given) });
  const peer = { clientCapabilities: { roots: {} }, clientInfo: { name: 'x', version: '1' } };
  rig.endpoint.peer = peer;
  rig.endpoint.settle(revision20251125);
  expect(settled).toEqual([[revision20251125, peer]]);
});

test('on a connection that needs a handshake nothing stands alone', async () => {
  const { behaviour, connection } = new Rig();
  const endpoint = new Endpoint(behaviour, Object.assign(connection, { needsHandshake: true }));
  expect(endpoint.supported.map(({ lifecycle }) => lifecycle)).not.toContain('stateless');
  const answer = await endpoint.receive(modern(1, 'server/discover'), connection);
  expect(JSON.parse(answer ?? '')).toMatchObject({
    error: { code: -32_600, message: expect.stringContaining('initialize') },
  });
});
