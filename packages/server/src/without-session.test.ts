import { describe, expect, onTestFinished, test } from 'vitest';
import { HttpPeer } from '../test/http-peer.js';
import { handshakeRevisions } from '../test/wire-peer.js';
import { serveHttp } from './http.js';
import { createServer } from './server.js';

async function serve(revisions?: readonly string[]): Promise<HttpPeer> {
  const server = createServer({ name: 'a', version: '1' }, revisions && { revisions }).tool(
    'translate',
    {},
    () => 'done',
  );
  const serving = await serveHttp(server, { limits: { drain: 100 } });
  onTestFinished(() => serving.close());
  return new HttpPeer(serving.url);
}

const refused = 'The Mcp-Session-Id header is required; send initialize first to get a session.';

async function messageOf(response: Response): Promise<string> {
  expect(response.status).toBe(400);
  const { error } = (await response.json()) as { error: { message: string } };
  return error.message;
}

describe('a request without a session, such as one of curl', () => {
  test.each([
    ['tools/list', {}],
    ['tools/call', { name: 'translate', arguments: {} }],
  ])('is refused with headers and metadata by which it is answered: %s', async (method, params) => {
    const peer = await serve();
    const request = { jsonrpc: '2.0', id: 1, method, params };
    const message = await messageOf(await peer.post(request));
    expect(message.startsWith(`${refused} To do without a session, send the headers `)).toBe(true);
    const [, headers = '', meta = ''] =
      /the headers (.*), and in params "_meta": (.*)\.$/.exec(message) ?? [];
    const named = Object.fromEntries(headers.split(', ').map((header) => header.split(': ')));
    const again = { ...request, params: { ...params, _meta: JSON.parse(meta) } };
    const answer = await peer.post(again, named);
    expect(await answer.json()).toMatchObject({ id: 1, result: { resultType: 'complete' } });
  });

  test('is refused with the handshake alone where no revision does without', async () => {
    const peer = await serve(handshakeRevisions.map(({ id }) => id));
    expect(await messageOf(await peer.post({ jsonrpc: '2.0', id: 1, method: 'tools/list' }))).toBe(refused);
  });

  test('is refused with the handshake alone if the request names a revision with sessions', async () => {
    const peer = await serve();
    const request = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const response = await peer.post(request, { 'mcp-protocol-version': '2025-11-25' });
    expect(await messageOf(response)).toBe(refused);
  });

  test.each([
    ['a method that needs a session', { jsonrpc: '2.0', id: 1, method: 'ping' }],
    ['an unknown method', { jsonrpc: '2.0', id: 1, method: 'x' }],
    ['a batch', [{ jsonrpc: '2.0', id: 1, method: 'tools/list' }]],
  ])('is refused with the handshake alone: %s', async (_, value) => {
    expect(await messageOf(await (await serve()).post(value))).toBe(refused);
  });

  test('is refused with a text of bounded length, whatever the request names', async () => {
    const peer = await serve();
    const params = { name: 'x'.repeat(100_000) };
    const message = await messageOf(await peer.post({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }));
    expect(message.length).toBeLessThan(1_000);
  });
});
