import { otherBounds } from '@tenon/foundation';
import type { SessionError, Tool, UnknownObject } from '@tenon/mcp-protocol';
import { describe, expect, it } from 'vitest';
import { type HttpCall, HttpPeer, modern, sessions } from '../../test/http-peer.js';
import type { CallOptions } from '../calls/call-options.js';
import { RepeatableTools } from './retry.js';

const hints = { ttlMs: 0, cacheScope: 'private' };
const done = { content: [] };
const inputSchema = { type: 'object' };
const tool = (name: string, annotations?: UnknownObject) => ({
  name,
  inputSchema,
  ...(annotations && { annotations }),
});
const tools = [
  tool('look', { readOnlyHint: true }),
  tool('set', { readOnlyHint: false, idempotentHint: true }),
  tool('pay', { idempotentHint: false }),
  tool('plain'),
];
const list = { tools, ...hints };

/** A server of the stateless revision that breaks off the first exchange of each tool. */
async function breaking() {
  const broken = new Set<string>();
  const peer = await HttpPeer.start(
    modern({
      'tools/list': (call) => call.result(list),
      'tools/call': (call) => {
        const { name } = call.message.params as { name: string };
        if (broken.has(name)) return call.result(done);
        broken.add(name);
        return call.reset();
      },
    }),
  );
  const client = await peer.connect();
  const counted = (name: string) =>
    peer.calls.filter(({ message }) => message.method === 'tools/call' && message.params?.name === name)
      .length;
  return { peer, client, counted };
}

describe('a tool call after its exchange broke', () => {
  it.each([
    ['look', undefined],
    ['set', undefined],
    ['plain', { idempotent: true }],
    ['pay', { idempotent: true }],
  ] as [string, CallOptions | undefined][])(
    'is sent again once if it is safe to repeat: %s with %j',
    async (name, options) => {
      const { client, counted } = await breaking();
      await client.tools().all();
      expect((await client.callTool(name, {}, options)).isError).toBe(false);
      expect(counted(name)).toBe(2);
    },
  );

  it.each([
    ['pay', undefined],
    ['plain', undefined],
    ['unlisted', undefined],
    ['look', { idempotent: false }],
    ['set', { idempotent: false }],
  ] as [string, CallOptions | undefined][])(
    'rejects, where it may not: %s with %j',
    async (name, options) => {
      const { client, counted } = await breaking();
      await client.tools().all();
      await expect(client.callTool(name, {}, options)).rejects.toMatchObject({ name: 'TransportError' });
      expect(counted(name)).toBe(1);
    },
  );

  it('rejects before the tools were listed', async () => {
    const { client, counted } = await breaking();
    await expect(client.callTool('look')).rejects.toMatchObject({ name: 'TransportError' });
    expect(counted('look')).toBe(1);
  });

  it('is sent again as a request, too', async () => {
    const { client, counted } = await breaking();
    await client.tools().all();
    await client.request('tools/call', { name: 'look' });
    expect(counted('look')).toBe(2);
  });
});

it('what only reads is not sent again with idempotent: false', async () => {
  const peer = await HttpPeer.start(modern({ 'resources/read': (call) => call.reset() }));
  const client = await peer.connect();
  await expect(client.readResource('file:///a', { idempotent: false })).rejects.toThrow();
  expect(peer.heard.filter((name) => name === 'resources/read')).toHaveLength(1);
});

describe('a tool call after its session ended', () => {
  /** A server that answers no tool call in the first session, and forgets that session at a ping. */
  async function forgetful() {
    let stream: HttpCall | undefined;
    const peer = await HttpPeer.start(
      sessions({
        GET: (call) => {
          stream ??= call;
          call.response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
        },
        'tools/list': (call) => call.result(list),
        'tools/call': (call) =>
          call.headers['mcp-session-id'] === 'session-1' ? undefined : call.result(done),
        ping: (call) => (call.headers['mcp-session-id'] === 'session-1' ? call.raw(404) : call.result({})),
      }),
    );
    const client = await peer.connect({}, { limits: otherBounds({ closeWaitMs: 50 }) });
    await client.tools().all();
    /** The outcomes of calls that are under way while the session ends. */
    const outcomes = async (...names: string[]) => {
      const calls = names.map((name) =>
        client.callTool(name).then(
          () => 'done',
          (error: SessionError) => error.reason,
        ),
      );
      await peer.call('tools/call', names.length);
      await client.ping();
      return Promise.all(calls);
    };
    return { peer, client, outcomes, stream: () => stream };
  }

  it('is sent again in the next session if it is safe to repeat', async () => {
    const { outcomes } = await forgetful();
    expect(await outcomes('look', 'set', 'pay', 'plain')).toEqual(['done', 'done', 'closed', 'closed']);
  });

  it('rejects if the tools have changed and were not listed again', async () => {
    const { client, peer, outcomes, stream } = await forgetful();
    await peer.call('GET');
    const changed = new Promise<void>((resolve) => client.onChanged(resolve));
    stream()?.event({ method: 'notifications/tools/list_changed' });
    await changed;
    expect(await outcomes('look')).toEqual(['closed']);
  });
});

describe('the tools that may be called again', () => {
  const call = (name: string) => ({ method: 'tools/call', params: { name }, options: undefined });
  const safe = (name: string) => ({ ...tool(name, { readOnlyHint: true }) }) as Tool;

  it('are as many as the limit allows: the oldest are dropped', () => {
    const known = new RepeatableTools(2);
    known.remember([safe('a'), safe('b')]);
    known.remember([safe('a'), safe('c')]);
    expect(['a', 'b', 'c'].map((name) => known.allow(call(name)))).toEqual([true, false, true]);
  });

  it('do not include a tool with changed annotations', () => {
    const known = new RepeatableTools(2);
    known.remember([safe('a')]);
    known.remember([tool('a') as Tool]);
    expect(known.allow(call('a'))).toBe(false);
  });
});

it.each([
  [1_024, 2],
  [1_025, 1],
])(
  'a tool with a name of %i characters is called %i times when an answer is lost, although its annotations allow more',
  async (length, times) => {
    const name = 'x'.repeat(length);
    const tools = [{ name, inputSchema, annotations: { readOnlyHint: true } }];
    const peer = await HttpPeer.start(
      modern({
        'tools/list': (call) => call.result({ tools, ttlMs: 0, cacheScope: 'private' }),
        'tools/call': (call) =>
          peer.calls.filter((one) => one.name === 'tools/call').length === 1
            ? call.reset()
            : call.result(done),
      }),
    );
    const client = await peer.connect();
    await client.tools().all();
    await client.callTool(name).catch(() => undefined);
    expect(peer.heard.filter((one) => one === 'tools/call')).toHaveLength(times);
  },
);
