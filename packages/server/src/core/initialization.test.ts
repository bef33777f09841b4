import type { RequestId } from '@tenon/mcp-protocol';
import { describe, expect, onTestFinished, test } from 'vitest';
import { FakeClock } from '../../../testing/src/fake-clock.js';
import { HttpPeer } from '../../test/http-peer.js';
import { handshakeRevisions, latestStateless, WirePeer } from '../../test/wire-peer.js';
import { serveHttp } from '../http.js';
import type { ServerOptions } from '../options.js';
import { createServer } from '../server.js';

const info = { name: 'test', version: '1' };
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A server with a tool that requests the roots, and returns the error if that fails. */
function requestingInput(options: ServerOptions = {}) {
  return createServer(info, options).tool('where', {}, async (_, ctx) => {
    try {
      return JSON.stringify(await ctx.roots('roots'));
    } catch (error) {
      return String(error);
    }
  });
}

const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };
const call = { jsonrpc: '2.0', id: 'call', method: 'tools/call', params: { name: 'where' } };
const roots = [{ uri: 'file:///home/ada' }];

describe.each(handshakeRevisions)('a session of $id that is not initialized yet', (revision) => {
  const clientInfo = { name: 'peer', version: '1' };
  const params = { protocolVersion: revision.id, capabilities: { roots: {} }, clientInfo };

  /** A peer that has received the handshake's response, and then called the tool. */
  async function early(options: ServerOptions = {}) {
    const clock = new FakeClock();
    const peer = await WirePeer.open(requestingInput({ clock, ...options }), latestStateless);
    peer.raw({ jsonrpc: '2.0', id: 'hello', method: 'initialize', params });
    await peer.next(({ id }) => id === 'hello');
    peer.raw(call);
    await turn();
    const asked = () => peer.received.flatMap(({ method }) => method ?? []);
    const answer = async () => (await peer.next(({ id }) => id === 'call')).result?.content?.[0]?.text;
    return { clock, peer, asked, answer };
  }

  test('receives only pings, and waiting input requests once it is initialized', async () => {
    const { clock, peer, asked, answer } = await early({ keepAlive: { interval: 500 } });
    for (let passed = 0; passed < 1_500; passed += 500) {
      await clock.advance(500);
      await turn();
    }
    await peer.heard('ping');
    expect(asked()).not.toContain('roots/list');
    peer.raw(initialized);
    const { id } = await peer.heard('roots/list');
    peer.answer(id as RequestId, { roots });
    expect(await answer()).toBe(JSON.stringify(roots));
  });

  test('receives input requests after a while without notifications/initialized', async () => {
    const { clock, peer, asked, answer } = await early();
    await clock.advance(1_999);
    await turn();
    expect(asked()).not.toContain('roots/list');
    await clock.advance(1);
    const { id } = await peer.heard('roots/list');
    peer.answer(id as RequestId, { roots });
    expect(await answer()).toBe(JSON.stringify(roots));
    peer.received.length = 0;
    peer.raw({ ...call, id: 'again' });
    await peer.heard('roots/list');
  });

  test('does not count the wait as handler time', async () => {
    const { clock, peer, asked } = await early({ limits: { handlerTime: 1_000 } });
    for (let passed = 0; passed < 1_900; passed += 100) {
      await clock.advance(100);
      await turn();
    }
    expect(peer.received.find(({ id }) => id === 'call')).toBeUndefined();
    expect(asked()).not.toContain('roots/list');
    await clock.advance(100);
    await peer.heard('roots/list');
  });

  test('receives list changes after a while without notifications/initialized', async () => {
    const clock = new FakeClock();
    const server = requestingInput({ clock });
    const peer = await WirePeer.open(server, latestStateless);
    peer.raw({ jsonrpc: '2.0', id: 'hello', method: 'initialize', params });
    await peer.next(({ id }) => id === 'hello');
    server.tool('early', {}, () => 'x');
    await turn();
    await clock.advance(2_000);
    server.tool('late', {}, () => 'x');
    await peer.heard('notifications/tools/list_changed');
    expect(peer.received.filter(({ method }) => method !== undefined)).toHaveLength(1);
  });

  test('can cancel its call meanwhile', async () => {
    const { clock, peer, asked } = await early();
    const armed = clock.waiting.length;
    peer.raw({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'call' } });
    await turn();
    expect(clock.waiting).toHaveLength(armed - 1);
    peer.raw(initialized);
    peer.raw({ jsonrpc: '2.0', id: 'last', method: 'ping' });
    await peer.next(({ id }) => id === 'last');
    expect(asked()).not.toContain('roots/list');
  });
});

describe.each(handshakeRevisions.filter(({ rules }) => rules.resumable))('over HTTP in $id', (revision) => {
  test('a call that overtakes the notification is served all the same', async () => {
    // The tool waits for roots that never come.
    const http = await serveHttp(requestingInput({ limits: { drain: 1 } }), { limits: { drain: 1 } });
    onTestFinished(() => http.close());
    const peer = new HttpPeer(http.url, { revision });
    const params = { protocolVersion: revision.id, capabilities: { roots: {} }, clientInfo: info };
    const hello = await peer.send('initialize', params);
    await hello.text();
    peer.headers = {
      'mcp-session-id': hello.headers.get('mcp-session-id') ?? '',
      'mcp-protocol-version': revision.id,
    };
    const answer = peer.post(call);
    await peer.post(initialized);
    const reader = (await answer).body?.getReader();
    const { value } = (await reader?.read()) ?? {};
    const text = new TextDecoder().decode(value);
    expect(text).toContain('"method":"roots/list"');
    await reader?.cancel();
  });
});
