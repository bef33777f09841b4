import { type Exchange, revisions } from '@tenon/mcp-protocol';
import { revision20250326, revision20251125 } from '@tenon/mcp-protocol/internal';
import { describe, expect, test } from 'vitest';
import { call, Held, modern, notification, Rig, request } from '../../test/rig.js';
import type { RequestHandler } from '../requests/behaviour.js';
import { Endpoint } from './endpoint.js';
import { statelessEndpoint } from './stateless-endpoint.js';

/** An exchange that records its statuses and error codes. */
class Reported implements Exchange {
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

/** Returns the exchange of one message after the message was handled. */
async function tell(value: unknown, handle: RequestHandler['handle'] = () => ({ content: [] })) {
  const rig = new Rig({ revisions, requests: { 'tools/call': handle }, onError: () => undefined });
  const reported = new Reported();
  const answer = await statelessEndpoint(rig.behaviour).receive(value, reported);
  return { ...reported, answer: answer === undefined ? undefined : JSON.parse(answer) };
}

describe('the exchange of a stateless request', () => {
  test('receives no status when the request succeeds', async () => {
    expect(await tell(modern(1, 'tools/call', call()))).toMatchObject({ statuses: [], codes: [] });
  });

  test.each<[string, unknown, object]>([
    ['a method that is not there', modern(1, 'nobody/knows'), { codes: [-32601] }],
    ['params that do not fit', modern(1, 'tools/call', { name: 5 }), { codes: [-32602] }],
    [
      'an unknown revision',
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
  ])('receives a status and a code for %s', async (_title, value, expected) => {
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

  test('receives the error code once, before the answer', async () => {
    const reported = new Reported();
    const rig = new Rig({ revisions });
    const answer = statelessEndpoint(rig.behaviour).receive(modern(1, 'nobody/knows'), reported);
    expect(reported.codes).toEqual([-32601]);
    await answer;
    expect(reported.codes).toEqual([-32601]);
  });

  test('that is gone cancels it, without a signal having been asked for', async () => {
    const held = new Held();
    const rig = new Rig({ revisions, requests: { 'tools/call': held.handle } });
    const reported = new Reported();
    const answer = statelessEndpoint(rig.behaviour).receive(modern(1, 'tools/call', call()), reported);
    expect(held.requests[0]?.cancelled).toBe(false);
    reported.gone = true;
    expect(held.requests[0]?.cancelled).toBe(true);
    held.finish();
    expect(await answer).toBeUndefined();
  });
});

describe('the exchange of a message in a session', () => {
  const receive = (value: unknown, revision = revision20251125) => {
    const rig = new Rig({ revision, onError: () => undefined });
    const reported = new Reported();
    void rig.endpoint.receive(value, reported);
    return reported;
  };

  test.each<[string, unknown]>([
    ['no message', 'x'],
    ['a list where there are none', [request(1, 'ping')]],
    ['a broken answer', { jsonrpc: '2.0', id: {}, result: {} }],
    ['another protocol', { id: 1, method: 'ping' }],
  ])('receives status 400 for %s', (_title, value) => {
    expect(receive(value).statuses).toEqual([400]);
  });

  test.each<[string, unknown]>([
    ['a request', request(1, 'ping')],
    ['a notification', notification('notifications/initialized')],
    ['an answer to no pending request', { jsonrpc: '2.0', id: 1, result: {} }],
    ['a list with one bad entry', [request(1, 'ping'), 5]],
  ])('receives no status for %s', (_title, value) => {
    expect(receive(value, revision20250326).statuses).toEqual([]);
  });

  test('receives status 400 for malformed JSON', () => {
    const reported = new Reported();
    void new Rig({ revision: revision20251125, onError: () => undefined }).endpoint.malformed(
      'bad',
      reported,
    );
    expect(reported.statuses).toEqual([400]);
  });
});

test('passes the settled revision and the client info to the connection', () => {
  const rig = new Rig();
  const settled: unknown[] = [];
  Object.assign(rig.connection, { settled: (...given: unknown[]) => settled.push(given) });
  const peer = { clientCapabilities: { roots: {} }, clientInfo: { name: 'x', version: '1' } };
  rig.endpoint.peer = peer;
  rig.endpoint.settle(revision20251125);
  expect(settled).toEqual([[revision20251125, peer]]);
});

test('rejects stateless requests on a connection that needs a handshake', async () => {
  const { behaviour, connection } = new Rig();
  const endpoint = new Endpoint(behaviour, Object.assign(connection, { needsHandshake: true }));
  expect(endpoint.supported.map(({ lifecycle }) => lifecycle)).not.toContain('stateless');
  const answer = await endpoint.receive(modern(1, 'server/discover'), connection);
  expect(JSON.parse(answer ?? '')).toMatchObject({
    error: { code: -32_600, message: expect.stringContaining('initialize') },
  });
});
