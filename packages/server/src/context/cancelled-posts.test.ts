import { describe, expect, onTestFinished, test } from 'vitest';
import { HttpPeer, messagesFrom, messagesOf } from '../../test/http-peer.js';
import { handshakeRevisions } from '../../test/wire-peer.js';
import { serveHttp } from '../http.js';
import { createServer } from '../server.js';

const revisions = handshakeRevisions.filter(({ rules }) => rules.resumable);

/** A server with a tool that goes on working whatever its signal says. */
async function stubborn() {
  const work = { begun: () => {}, end: () => {}, signal: undefined as AbortSignal | undefined };
  const begun = new Promise<void>((resolve) => {
    work.begun = resolve;
  });
  const server = createServer({ name: 'test', version: '1' }).tool('stubborn', {}, async (_, ctx) => {
    work.signal = ctx.signal;
    work.begun();
    ctx.progress(1);
    await new Promise<void>((resolve) => {
      work.end = resolve;
    });
    ctx.progress(2);
    return 'too late';
  });
  const http = await serveHttp(server, { port: 0 });
  onTestFinished(() => http.close());
  return { http, work, begun };
}

describe.each(revisions)('in $id', (revision) => {
  test('the POST of a cancelled call ends at once, without an answer', async () => {
    const { http, work, begun } = await stubborn();
    const peer = await HttpPeer.open(http.url, { revision });
    const posted = peer.post({ jsonrpc: '2.0', id: 'c', method: 'tools/call', params: { name: 'stubborn' } });
    await begun;
    await peer.post({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'c' } });
    const response = await posted;
    expect(response.status).toBe(200);
    expect(await messagesOf(response)).toEqual([]);
    expect(work.signal?.aborted).toBe(true);
    work.end();
    expect((await peer.request('ping')).result).toEqual({});
  });

  test('its stream ends after the earlier messages', async () => {
    const { http, work } = await stubborn();
    const peer = await HttpPeer.open(http.url, { revision });
    const params = { name: 'stubborn', _meta: { progressToken: 'p' } };
    const response = await peer.post({ jsonrpc: '2.0', id: 'c', method: 'tools/call', params });
    const heard: unknown[] = [];
    for await (const message of messagesFrom(response)) {
      heard.push(message);
      await peer.post({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'c' } });
    }
    work.end();
    expect(heard).toEqual([
      { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 'p', progress: 1 } },
    ]);
  });
});
