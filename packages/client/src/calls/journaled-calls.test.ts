import type { UnknownObject } from '@tenon/mcp-protocol';
import { describe, expect, it } from 'vitest';
import { type HttpCall, HttpPeer, type HttpReplies, modern, sessions } from '../../test/http-peer.js';
import { discoverResult, initializeResult } from '../../test/scripts.js';

const key = 'dev.tenon/idempotency-key';
const done = { content: [] };
const inputSchema = { type: 'object' };
const keyOf = ({ message }: HttpCall) => (message.params?._meta as UnknownObject | undefined)?.[key];
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

describe('a tool call at a server that did not declare a journal', () => {
  const other = { 'com.example/other': {} };

  it('has no key, and is not sent again after a lost answer', async () => {
    const peer = await stateless(other, { 'tools/call': (call) => call.reset() });
    const client = await peer.connect();
    await expect(client.callTool('pay')).rejects.toMatchObject({ name: 'TransportError' });
    expect(toolCalls(peer).map(keyOf)).toEqual([undefined]);
  });

  it('is not sent again after a lost answer either if its caller chose a key', async () => {
    const peer = await stateless(other, { 'tools/call': (call) => call.reset() });
    const client = await peer.connect();
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
    const client = await peer.connect({}, { limits: { closeWaitMs: 50 } });
    const call = client.callTool('pay').catch((error: unknown) => error);
    await peer.call('tools/call');
    await client.ping().catch(() => undefined);
    expect(await call).toMatchObject({ reason: 'closed' });
    expect(toolCalls(peer).map(keyOf)).toEqual([undefined]);
  });
});

it('a tool call is not sent again at the next server, which has no journal, after its answer was lost at one that has', async () => {
  let extensions: UnknownObject = { [key]: {} };
  const peer = await HttpPeer.start(
    modern({
      'server/discover': (call) => call.result(described(extensions)),
      'tools/call': (call) => (toolCalls(peer).length === 1 ? undefined : call.result(done)),
      'resources/read': (call) => {
        const isKnown = extensions[key] === undefined;
        extensions = {};
        // The server that answers does not know the revision that the client uses: it is another one.
        return isKnown
          ? call.result({ contents: [], ttlMs: 0, cacheScope: 'private' })
          : call.error(400, -32022, { supported: ['2026-07-28'], requested: 'x' });
      },
    }),
  );
  const client = await peer.connect();
  const call = client.callTool('pay').catch((error: unknown) => error);
  await peer.call('tools/call');
  await client.readResource('file:///a');
  expect(await call).toMatchObject({ name: 'SessionError', reason: 'closed' });
  expect(toolCalls(peer)).toHaveLength(1);
});

it.each([
  [1_024, 2],
  [1_025, 1],
])(
  'a tool with a name of %i characters is called %i times when an answer is lost, although its annotations allow more',
  async (length, times) => {
    const name = 'x'.repeat(length);
    const tools = [{ name, inputSchema, annotations: { readOnlyHint: true } }];
    const peer = await stateless(
      {},
      {
        'tools/list': (call) => call.result({ tools, ttlMs: 0, cacheScope: 'private' }),
        'tools/call': (call) => (toolCalls(peer).length === 1 ? call.reset() : call.result(done)),
      },
    );
    const client = await peer.connect();
    await client.tools().all();
    await client.callTool(name).catch(() => undefined);
    expect(toolCalls(peer)).toHaveLength(times);
  },
);
