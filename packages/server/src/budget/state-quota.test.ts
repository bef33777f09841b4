import { latestHandshake, latestStateless, type Principal, type Revision } from '@tenon/mcp-protocol';
import { idempotencyKey } from '@tenon/mcp-protocol/internal';
import { memoryState } from '@tenon/mcp-state';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { settled } from '../../../testing/src/fake-clock.js';
import { HttpPeer, messagesOf } from '../../test/http-peer.js';
import { TestProcesses } from '../../test/processes.js';
import { type Json, type WireMessage, WirePeer } from '../../test/wire-peer.js';
import { defineExtension } from '../extensions/define-extension.js';
import type { ExtensionHost } from '../extensions/extension.js';
import { toFetchHandler } from '../fetch.js';
import { createHandles } from '../handles/handles.js';
import { createServer, type Server } from '../server.js';

const limits = { stateBytesPerCaller: 20_000 };
const ann: Principal = { id: 'ann' };
const bob: Principal = { id: 'bob' };
const refused = {
  code: -31004,
  message: expect.stringContaining('has reached limits.stateBytesPerCaller'),
};

const textOf = ({ result }: WireMessage) => (result?.content?.[0] as Json | undefined)?.text;

/** A server with a tool that pays, and clients of several callers. */
async function payments(define: (server: Server) => void = () => {}) {
  const processes = new TestProcesses();
  const server = await processes.server({ limits });
  const runs: string[] = [];
  server.tool('pay', { input: z.object({ text: z.string() }) }, ({ text }) => {
    runs.push(text.slice(0, 10));
    return text;
  });
  define(server);
  const handler = toFetchHandler(server);
  const peer = (given: { principal?: Principal; remoteAddress?: string }, revision: Revision) =>
    HttpPeer.open('http://localhost/mcp', {
      revision,
      fetch: (input, init) => handler.serve(new Request(input, init), given),
    });
  const pay = async (given: Parameters<typeof peer>[0], key: string, length: number) => {
    const client = await peer(given, latestStateless);
    const text = `${key} ${'x'.repeat(length)}`;
    const params = { name: 'pay', arguments: { text }, _meta: { [idempotencyKey]: key } };
    const response = await client.send('tools/call', params);
    return { status: response.status, ...((await response.json()) as WireMessage) };
  };
  return { processes, server, runs, peer, pay };
}

describe('the bytes of a caller in the state', () => {
  it('refuse keyed calls before they begin, with 429, and not those of other callers', async () => {
    const { processes, pay, runs } = await payments();
    for (const key of ['a', 'b']) expect(await pay({ principal: ann }, key, 6_000)).toHaveProperty('result');
    // The result of this call is not kept: its record is.
    expect(await pay({ principal: ann }, 'c', 9_000)).toHaveProperty('result');
    let answer = await pay({ principal: ann }, 'd', 10);
    for (let tries = 0; answer.error === undefined && tries < 100; tries++)
      answer = await pay({ principal: ann }, `d${tries}`, 200);
    const before = runs.length;
    for (let tries = 0; tries < 20; tries++)
      expect(await pay({ principal: ann }, `e${tries}`, 10)).toMatchObject({ status: 429, error: refused });
    expect(runs).toHaveLength(before);
    expect(await pay({ principal: bob }, 'a', 6_000)).toHaveProperty('result');
    expect(await pay({ remoteAddress: '192.0.2.1' }, 'a', 6_000)).toHaveProperty('result');
    // Clients without a principal and an address are one caller.
    expect(await pay({}, 'a', 6_000)).toHaveProperty('result');
    expect(processes.errors.map(String)).toEqual([
      expect.stringMatching(
        /^Error: The caller \["","ann"\] has used up its share of the state, of 20000 bytes/,
      ),
    ]);
  });

  it('do not cost the results of earlier calls', async () => {
    const { pay, runs } = await payments();
    for (const key of ['a', 'b', 'c', 'd', 'e', 'f']) await pay({ principal: ann }, key, 5_000);
    const again = await pay({ principal: ann }, 'a', 5_000);
    expect(textOf(again)).toMatch(/^a x{5000}$/);
    expect(runs.filter((run) => run.startsWith('a '))).toHaveLength(1);
  });

  it('refuse sessions with 429 until some of it is deleted', async () => {
    const { pay, peer, server } = await payments();
    server.resource('notes://{name}', {}, () => 'a note');
    const first = await peer({ principal: ann }, latestHandshake);
    for (let count = 0; (await pay({ principal: ann }, `${count}`, 400)).status === 200; count++)
      expect(count).toBeLessThan(100);
    const opening = {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: {
        protocolVersion: latestHandshake.id,
        capabilities: {},
        clientInfo: { name: 'x'.repeat(1_000), version: '1' },
      },
    };
    const { headers } = first;
    first.headers = {};
    const response = await first.post(opening);
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '10']);
    expect(await response.json()).toMatchObject({ error: refused });
    expect(response.headers.has('mcp-session-id')).toBe(false);
    first.headers = headers;
    const uri = `notes://${'x'.repeat(2_000)}`;
    const subscribed = await first.send('resources/subscribe', { uri });
    expect(await subscribed.json()).toMatchObject({ error: refused });
    expect((await first.delete()).status).toBe(204);
  });

  it('do not refuse calls with events that cannot be kept', async () => {
    const { processes, peer } = await payments((server) => {
      server.tool('talk', {}, async (_, ctx) => {
        for (let count = 1; count <= 20; count++) {
          ctx.log('info', `${count} ${'x'.repeat(5_000)}`);
          await settled();
        }
        return 'said';
      });
    });
    const session = await peer({ principal: ann }, latestHandshake);
    const messages = await messagesOf(await session.send('tools/call', { name: 'talk' }));
    expect(messages).toHaveLength(21);
    expect(messages.at(-1)).toMatchObject({ result: { content: [{ text: 'said' }] } });
    expect(processes.errors.map(String)).toEqual([expect.stringContaining('has used up its share')]);
  });

  it('refuse handles, and end no other handle for them', async () => {
    const { processes, server, peer } = await payments();
    const state = server.processes?.state ?? memoryState();
    const names = { prefix: 'bsk', name: 'basket', openedBy: 'open' };
    const handles = createHandles<string>({ ...names, state, perCaller: 2 });
    server.tool('open', { input: z.object({ length: z.number() }) }, ({ length }, ctx) =>
      handles.open(ctx, 'x'.repeat(length)),
    );
    server.tool('get', { input: z.object({ id: z.string() }) }, async ({ id }, ctx) =>
      String((await handles.get(ctx, id)).length),
    );
    const call = async (given: Parameters<typeof peer>[0], name: string, args: object) => {
      const client = await peer(given, latestStateless);
      const answer = (await (
        await client.send('tools/call', { name, arguments: args })
      ).json()) as WireMessage;
      return answer.error?.code ?? textOf(answer);
    };
    const first = await call({ principal: ann }, 'open', { length: 9_000 });
    await call({ principal: ann }, 'open', { length: 9_000 });
    expect(await call({ principal: ann }, 'open', { length: 9_000 })).toBe(-31004);
    expect(await call({ principal: ann }, 'get', { id: first })).toBe('9000');
    expect(await call({ remoteAddress: '192.0.2.1' }, 'open', { length: 19_000 })).toMatch(/^bsk_/);
    expect(await call({ remoteAddress: '192.0.2.2' }, 'open', { length: 19_000 })).toMatch(/^bsk_/);
    await expect(handles.open({ auth: bob }, 'x'.repeat(20_000))).rejects.toMatchObject({ code: -31004 });
    expect(processes.errors).toHaveLength(2);
  });

  it('are not counted for the client of a connection without authentication', async () => {
    const { server } = await payments();
    const handles = createHandles<string>({
      ...{ prefix: 'bsk', name: 'basket', openedBy: 'open' },
      state: server.processes?.state ?? memoryState(),
    });
    server.tool('open', {}, (_, ctx) => handles.open(ctx, 'x'.repeat(50_000)));
    const peer = await WirePeer.open(server);
    const { result } = await peer.request('tools/call', { name: 'open' });
    expect(JSON.stringify(result)).toContain('bsk_');
  });
});

describe('the state of a caller for an extension', () => {
  async function hostOf(options: object) {
    let host: ExtensionHost | undefined;
    const start = (given: ExtensionHost) => {
      host = given;
    };
    const extension = defineExtension({ id: 'com.example/jobs', start });
    const server = createServer({ name: 'test', version: '1' }, { ...options, extensions: [extension] });
    await WirePeer.open(server);
    return host as unknown as ExtensionHost;
  }

  it.each(['the server', 'the extension'])('is bounded in a state of %s', async (owner) => {
    const state = memoryState();
    const host = await hostOf({ limits, ...(owner === 'the server' && { state }) });
    const given = owner === 'the server' ? undefined : state;
    const write = async (caller: Parameters<ExtensionHost['stateOf']>[0], key: string) =>
      (await host.stateOf(caller, given)).kv.put(key, 'x'.repeat(15_000));
    await write({ principal: ann }, 'a/1');
    await expect(write({ principal: ann }, 'a/2')).rejects.toMatchObject({ reason: 'quota' });
    await write({ principal: bob }, 'b/1');
    await write({ remoteAddress: '192.0.2.1', anonymous: true }, 'c/1');
    await write({ anonymous: true }, 'd/1');
    await expect(write({ anonymous: true }, 'd/2')).rejects.toMatchObject({ reason: 'quota' });
    expect((await host.stateOf({}, given)).kv).toBe(state.kv);
  });

  it('is a quarter of a memory state by default', async () => {
    const state = memoryState({ bytes: 40_000 });
    const host = await hostOf({ state });
    const { kv } = await host.stateOf({ principal: ann });
    await expect(kv.put('a/1', 'x'.repeat(10_000))).rejects.toMatchObject({ reason: 'quota' });
    await kv.put('a/1', 'x'.repeat(9_900));
  });

  it('must be passed if the server has none', async () => {
    const host = await hostOf({});
    await expect(host.stateOf({ principal: ann })).rejects.toThrow(TypeError);
  });
});
