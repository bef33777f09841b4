import type { CallRequest } from '@tenon/mcp-session';
import { expect, test } from 'vitest';
import { everyRevision, latestHandshake, WirePeer } from '../test/wire-peer.js';
import { serveHttp } from './http.js';
import { createServer } from './server.js';

/** A server with middleware that notes the request of each call of a tool. */
function noting() {
  const seen: (CallRequest | undefined)[] = [];
  const server = createServer({ name: 'test', version: '1' })
    .use((call, next) => {
      if (call.method === 'tools/call') seen.push(call.request);
      return next();
    })
    .tool('plain', {}, () => 'done');
  return { server, seen };
}

test.each(everyRevision)(
  'middleware has the id, the method and the client of a request in $id',
  async (revision) => {
    const { server, seen } = noting();
    const [one, other] = [await WirePeer.open(server, revision), await WirePeer.open(server, revision)];
    const answers = [];
    for (const peer of [one, one, other]) answers.push(await peer.request('tools/call', { name: 'plain' }));
    expect(seen.map((request) => request?.id)).toEqual(answers.map(({ id }) => id));
    expect(seen[0]?.method).toBe('tools/call');
    const sessions = seen.map((request) => request?.sessionId);
    if (revision.lifecycle === 'stateless') expect(sessions).toEqual([undefined, undefined, undefined]);
    else {
      expect(seen[0]?.client).toEqual({ name: 'peer', version: '1' });
      expect(sessions[0]).toMatch(/^\S{16,}$/);
      expect(sessions[1]).toBe(sessions[0]);
      expect(sessions[2]).not.toBe(sessions[0]);
    }
  },
);

test('middleware has the session id and the address of a request over HTTP', async () => {
  const { server, seen } = noting();
  const serving = await serveHttp(server, { port: 0 });
  const ask = (body: object, headers: Record<string, string> = {}) =>
    fetch(serving.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': latestHandshake.id,
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...body }),
    });
  const clientInfo = { name: 'peer', version: '1' };
  const params = { protocolVersion: latestHandshake.id, capabilities: {}, clientInfo };
  const opened = await ask({ method: 'initialize', params });
  const session = opened.headers.get('mcp-session-id') ?? '';
  await ask({ method: 'tools/call', params: { name: 'plain' } }, { 'mcp-session-id': session });
  await serving.close();
  expect(seen).toMatchObject([{ sessionId: session, remoteAddress: '127.0.0.1' }]);
});
