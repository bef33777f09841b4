import {
  latestHandshake,
  latestStateless,
  type Principal,
  type Revision,
  serverPort,
} from '@tenon/mcp-protocol';
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
const textOf = ({ result }: WireMessage) => (result?.content?.[0] as Json | undefined)?.text;

/** A server with a bound, and clients of several callers. */
async function bounded(define: (server: Server) => void = () => {}) {
  const processes = new TestProcesses();
  const server = await processes.server({ limits });
  define(server);
  const handler = toFetchHandler(server);
  const peer = (given: { principal?: Principal; remoteAddress?: string }, revision: Revision) =>
    HttpPeer.open('http://localhost/mcp', {
      revision,
      fetch: (input, init) => handler.serve(new Request(input, init), given),
    });
  return { processes, server, peer };
}

describe('the bytes of a caller in the state', () => {
  it('do not refuse calls with events that cannot be kept', async () => {
    const { processes, peer } = await bounded((server) => {
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
    const { processes, server, peer } = await bounded();
    const state = server[serverPort].processes?.state ?? memoryState();
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
    const { server } = await bounded();
    const handles = createHandles<string>({
      ...{ prefix: 'bsk', name: 'basket', openedBy: 'open' },
      state: server[serverPort].processes?.state ?? memoryState(),
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
