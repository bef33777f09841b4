import { otherBounds } from '@tenon/foundation';
import type { UnknownObject } from '@tenon/mcp-protocol';
import { describe, expect, it } from 'vitest';
import {
  type HttpCall,
  HttpPeer,
  type HttpReplies,
  modern,
  sessions,
} from '../../../client/test/http-peer.js';
import { discoverResult, initializeResult } from '../../../client/test/scripts.js';
import { idempotency } from '../client.js';

const key = 'dev.tenon/idempotency-key';
const done = { content: [] };
const keyOf = ({ message }: HttpCall) => (message.params?._meta as UnknownObject | undefined)?.[key];
const extensions = [idempotency()];
const toolCalls = (peer: HttpPeer) => peer.calls.filter(({ name }) => name === 'tools/call');

/** The answer to `server/discover` of a server with these extensions. */
function described(extensions: UnknownObject): UnknownObject {
  const { capabilities, ...rest } = discoverResult(['2026-07-28']) as { capabilities: object };
  return { ...rest, capabilities: { ...capabilities, extensions } };
}

function stateless(extensions: UnknownObject, replies: HttpReplies): Promise<HttpPeer> {
  return HttpPeer.start(
    modern({ 'server/discover': (call) => call.result(described(extensions)), ...replies }),
  );
}

describe('a tool call at a server that keeps a journal', () => {
  /** A server with a journal that handles its tool calls one after the other. */
  async function journaling(...handlers: ((call: HttpCall) => unknown)[]) {
    const calls: HttpCall[] = [];
    const peer = await stateless(
      { [key]: {} },
      {
        'tools/call': (call) => {
          calls.push(call);
          return (handlers.shift() ?? (() => call.result(done)))(call);
        },
      },
    );
    return { client: await peer.connect({ extensions }), calls };
  }

  it('is sent again once with the same key', async () => {
    const { client, calls } = await journaling((call) => call.reset());
    expect((await client.callTool('pay')).isError).toBe(false);
    const [first, again] = calls.map(keyOf);
    expect(first).toMatch(/^[0-9a-f-]{36}$/);
    expect(again).toBe(first);
    await client.callTool('pay');
    expect(keyOf(calls[2] as HttpCall)).not.toBe(first);
  });

  it('is sent again as a request, too, with the key that its caller chose', async () => {
    const { client, calls } = await journaling((call) => call.reset());
    await client.request('tools/call', { name: 'pay' }, { meta: { [key]: 'order-1', 'com.example/a': 1 } });
    expect(calls.map(keyOf)).toEqual(['order-1', 'order-1']);
    expect(calls[1]?.message.params?._meta).toMatchObject({ 'com.example/a': 1 });
  });

  it('rejects if the second connection is lost too', async () => {
    const { client, calls } = await journaling(
      (call) => call.reset(),
      (call) => call.reset(),
    );
    await expect(client.callTool('pay')).rejects.toMatchObject({ name: 'TransportError' });
    expect(calls).toHaveLength(2);
  });

  it('is not sent again with idempotent: false, and has no key', async () => {
    const { client, calls } = await journaling((call) => call.reset());
    await expect(client.callTool('pay', {}, { idempotent: false })).rejects.toThrow();
    expect(calls.map(keyOf)).toEqual([undefined]);
  });

  it('does not declare the extension', async () => {
    const { client, calls } = await journaling();
    await client.callTool('pay');
    const { _meta } = (calls[0] as HttpCall).message.params as { _meta: UnknownObject };
    expect(_meta['io.modelcontextprotocol/clientCapabilities']).not.toHaveProperty('extensions');
  });
});

it('a client without the extension sends no key, and does not repeat the call', async () => {
  const peer = await stateless({ [key]: {} }, { 'tools/call': (call) => call.reset() });
  const client = await peer.connect();
  await expect(client.callTool('pay')).rejects.toMatchObject({ name: 'TransportError' });
  expect(toolCalls(peer).map(keyOf)).toEqual([undefined]);
});

describe('a tool call at a server that did not declare a journal', () => {
  const other = { 'com.example/other': {} };

  it('has no key, and is not sent again after a lost answer', async () => {
    const peer = await stateless(other, { 'tools/call': (call) => call.reset() });
    const client = await peer.connect({ extensions });
    await expect(client.callTool('pay')).rejects.toMatchObject({ name: 'TransportError' });
    expect(toolCalls(peer).map(keyOf)).toEqual([undefined]);
  });

  it('is not sent again after a lost answer either if its caller chose a key', async () => {
    const peer = await stateless(other, { 'tools/call': (call) => call.reset() });
    const client = await peer.connect({ extensions });
    const meta = { [key]: 'order-1' };
    await expect(client.callTool('pay', {}, { meta })).rejects.toMatchObject({ name: 'TransportError' });
    expect(toolCalls(peer).map(keyOf)).toEqual(['order-1']);
  });

  it('is not sent again in a revision with sessions, where no server has a journal', async () => {
    const capabilities = { tools: {}, extensions: { [key]: {} } };
    const peer = await HttpPeer.start(
      sessions({
        initialize: (call) => call.result(initializeResult('2025-11-25', capabilities)),
        'tools/call': (call) => (toolCalls(peer).length === 1 ? undefined : call.result(done)),
        ping: (call) => call.raw(404),
      }),
    );
    const client = await peer.connect({ extensions }, { limits: otherBounds({ closeWaitMs: 50 }) });
    const call = client.callTool('pay').catch((error: unknown) => error);
    await peer.call('tools/call');
    await client.ping().catch(() => undefined);
    expect(await call).toMatchObject({ reason: 'closed' });
    expect(toolCalls(peer).map(keyOf)).toEqual([undefined]);
  });
});

it('a tool call is not sent again at the next server, which has no journal, after its answer was lost at one that has', async () => {
  let offered: UnknownObject = { [key]: {} };
  const peer = await HttpPeer.start(
    modern({
      'server/discover': (call) => call.result(described(offered)),
      'tools/call': (call) => (toolCalls(peer).length === 1 ? undefined : call.result(done)),
      'resources/read': (call) => {
        const isKnown = offered[key] === undefined;
        offered = {};
        // The server that answers does not know the revision that the client uses: it is another one.
        return isKnown
          ? call.result({ contents: [], ttlMs: 0, cacheScope: 'private' })
          : call.error(400, -32022, { supported: ['2026-07-28'], requested: 'x' });
      },
    }),
  );
  const client = await peer.connect({ extensions });
  const call = client.callTool('pay').catch((error: unknown) => error);
  await peer.call('tools/call');
  await client.readResource('file:///a');
  expect(await call).toMatchObject({ name: 'SessionError', reason: 'closed' });
  expect(toolCalls(peer)).toHaveLength(1);
});
