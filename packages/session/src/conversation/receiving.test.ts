import { type Exchange, RpcError, revisions } from '@tenon/mcp-protocol';
import { revision20250326 } from '@tenon/mcp-protocol/internal';
import { describe, expect, test } from 'vitest';
import { call, deferred, modern, Rig, request } from '../../test/rig.js';
import { statelessEndpoint } from './stateless-endpoint.js';

/** An exchange of a transport in which every hook fails. */
const failing: Exchange = {
  facts: {
    get protocolVersion(): string {
      throw new Error('facts');
    },
  },
  send: () => undefined,
  failed() {
    throw new Error('failed');
  },
};

const hooks: Exchange = { ...failing, facts: {} };

describe('receive never throws, and its promise never rejects', () => {
  test.each<[string, Exchange]>([
    ['its facts cannot be read', failing],
    ['it cannot take the code of an error', hooks],
  ])('when of a transport %s', async (_title, exchange) => {
    const rig = new Rig({ revision: revision20250326, revisions });
    const stateless = statelessEndpoint(rig.behaviour);
    for (const receiver of [rig.endpoint, stateless]) {
      const answer = await receiver.receive(modern(7, 'no/such'), exchange);
      expect(JSON.parse(answer ?? '')).toMatchObject({ id: 7, error: { code: -32_603 } });
    }
    expect(rig.errors.length).toBeGreaterThanOrEqual(2);
  });

  test('when a handler fails and the transport as well', async () => {
    const rig = new Rig({ revisions, requests: { 'tools/call': () => Promise.reject(new Error('boom')) } });
    const answer = await statelessEndpoint(rig.behaviour).receive(modern(7, 'tools/call', call()), hooks);
    expect(JSON.parse(answer ?? '')).toMatchObject({ id: 7, error: { message: 'Internal error' } });
  });

  test('when a promise of a handler cannot be waited for', async () => {
    const odd: Promise<never> = Object.create(Promise.prototype);
    const rig = new Rig({ revisions, handling: {}, requests: { 'tools/call': () => odd } });
    const answer = await rig.deliver(modern(7, 'tools/call', call()));
    expect(JSON.parse(answer ?? '')).toMatchObject({ id: 7, error: { message: 'Internal error' } });
    expect(rig.endpoint.inFlight).toBe(0);
    expect(rig.errors).toMatchObject([{ error: expect.any(TypeError) }]);
  });

  test('when a handler is stopped and cannot be named', async () => {
    const rig = new Rig({
      revisions,
      handling: { time: 100 },
      requests: {
        'tools/call': {
          handle: () => deferred().promise,
          subject() {
            throw new Error('no name');
          },
        },
      },
    });
    const answer = rig.deliver(modern(7, 'tools/call', call()));
    await rig.clock.advance(200);
    expect(JSON.parse((await answer) ?? '')).toMatchObject({ id: 7, error: { code: -32_603 } });
  });

  test('does not answer a notification, and answers a batch with -32603', () => {
    const rig = new Rig({ revision: revision20250326 });
    expect(rig.endpoint.receive({ jsonrpc: '2.0', method: 'x' }, failing)).toBeUndefined();
    expect(rig.endpoint.receive([request(1, 'ping')], failing)).toContain('-32603');
  });
});

describe('a message that was not read', () => {
  test('is answered under its id where it is a request', () => {
    const rig = new Rig({ revision: revision20250326 });
    const answer = rig.endpoint.malformed('Too deep.', rig.connection, { kind: 'request', id: 'a' });
    expect(JSON.parse(String(answer))).toEqual({
      jsonrpc: '2.0',
      id: 'a',
      error: { code: -32_600, message: 'Too deep.' },
    });
  });

  test('is answered by a client where its server may send requests', () => {
    const rig = new Rig({ side: 'client', revision: revision20250326 });
    const answer = rig.endpoint.malformed('Too deep.', rig.connection, { kind: 'request', id: 5 });
    expect(JSON.parse(String(answer))).toMatchObject({ id: 5, error: { code: -32_600 } });
    expect(rig.errors).toMatchObject([{ error: { message: 'Too deep.' } }]);
  });

  test('rejects the call it answers', async () => {
    const rig = new Rig({ side: 'client', revision: revision20250326 });
    const asked = rig.endpoint.request('ping', {});
    await rig.endpoint.malformed('Too deep.', rig.connection, { kind: 'response', id: 1 });
    await expect(asked).rejects.toMatchObject({ reason: 'limit', message: 'ping: Too deep.' });
  });
});

describe('an error that is too long to be sent', () => {
  test.each<[string, RpcError]>([
    ['its data', new RpcError(-32_000, 'short', { data: 'x'.repeat(5_000) })],
    ['the end of its message', new RpcError(-32_000, 'm'.repeat(5_000))],
  ])('goes out without %s', async (_title, error) => {
    const rig = new Rig({
      revisions,
      handling: { resultSize: 2_000 },
      requests: { 'tools/call': () => Promise.reject(error) },
    });
    const answer = (await rig.deliver(modern(7, 'tools/call', call()))) ?? '';
    expect(answer.length).toBeLessThan(2_000);
    expect(JSON.parse(answer)).toMatchObject({ id: 7, error: { code: -32_000 } });
    expect(rig.errors).toMatchObject([{ error: { reason: 'limit' } }]);
  });
});
