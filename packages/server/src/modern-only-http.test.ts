import { MetaKey } from '@tenon/mcp-protocol';
import { expect, onTestFinished, test } from 'vitest';
import { shows } from '../../../tooling/suite/shows.js';
import { HttpPeer, messagesOf } from '../test/http-peer.js';
import { latestHandshake, latestStateless as revision } from '../test/wire-peer.js';
import { serveHttp } from './http.js';
import { createServer } from './server.js';

const info = { name: 'test', version: '1' };

/** A server of only the stateless revision, and a peer that sends any message. */
async function served() {
  const server = createServer(info, { revisions: [revision.id] }).tool('one', {}, () => 'x');
  const serving = await serveHttp(server, { limits: { drain: 100 } });
  onTestFinished(() => serving.close());
  return new HttpPeer(serving.url, { revision });
}

test('answers initialize without the headers of this revision with 400 and the supported revisions', async () => {
  shows('2026-07-28/basic/versioning/legacy-with-modern');
  const peer = await served();
  const params = { protocolVersion: latestHandshake.id, capabilities: {}, clientInfo: info };
  const response = await peer.post({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
  expect(response.status).toBe(400);
  const [answer] = await messagesOf(response);
  expect(answer).toMatchObject({ id: 1, error: { data: { supported: [revision.id] } } });
  expect(answer?.error?.message).toContain(revision.id);
});

test('GET and DELETE are answered 405', async () => {
  shows(
    '2026-07-28/basic/transports/streamable-http/get-delete-405',
    '2026-07-28/basic/versioning/legacy-with-modern',
  );
  const peer = await served();
  for (const response of [await peer.get(), await peer.delete()]) {
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('POST');
    await response.text();
  }
});

test('ignores ids of sessions and events, and sends none', async () => {
  shows(
    '2026-07-28/basic/transports/streamable-http/session-id-ignored',
    '2026-07-28/basic/transports/streamable-http/last-event-id-ignored',
  );
  const peer = await served();
  peer.headers = { 'mcp-session-id': 'made-up', 'last-event-id': '1.1' };
  const response = await peer.send('tools/call', { name: 'one' });
  expect(response.status).toBe(200);
  expect(response.headers.has('mcp-session-id')).toBe(false);
  expect((await messagesOf(response))[0]?.result?.content?.[0]?.text).toBe('x');
});

test('a request without the version header is refused with 400', async () => {
  shows('2026-07-28/basic/transports/streamable-http/version-header-absent');
  const peer = await served();
  const stamped = { [MetaKey.protocolVersion]: revision.id, [MetaKey.clientCapabilities]: {} };
  for (const params of [{}, { _meta: stamped }]) {
    const response = await peer.post({ jsonrpc: '2.0', id: 1, method: 'tools/list', params });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ id: 1, error: { code: expect.any(Number) } });
  }
  const response = await peer.send('tools/list', {}, { 'mcp-protocol-version': undefined });
  expect((await messagesOf(response))[0]?.error?.code).toBe(-32020);
});

test('rejects a disabled revision with the list of supported ones', async () => {
  shows('2026-07-28/basic/transports/streamable-http/version-unsupported');
  const peer = await served();
  for (const version of [latestHandshake.id, '2099-01-01']) {
    const _meta = { [MetaKey.protocolVersion]: version };
    const response = await peer.send('tools/list', { _meta }, { 'mcp-protocol-version': version });
    expect(response.status).toBe(400);
    expect((await messagesOf(response))[0]?.error).toMatchObject({
      code: -32022,
      data: { supported: [revision.id], requested: version },
    });
  }
});
