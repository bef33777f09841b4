import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { MetaKey } from '@tenon/mcp-protocol';
import { expect, onTestFinished, test } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import { HttpPeer, messagesOf } from '../../test/http-peer.js';
import { latestStateless as revision } from '../../test/wire-peer.js';
import { serveHttp } from '../http.js';
import { createServer } from '../server.js';

const info = { name: 'test', version: '1' };
const _meta = { [MetaKey.protocolVersion]: revision.id, [MetaKey.clientCapabilities]: { roots: {} } };
const standard = { 'mcp-protocol-version': revision.id, 'mcp-method': 'tools/call', 'mcp-name': 'query' };

async function served() {
  const input = {
    type: 'object',
    properties: {
      region: { type: 'string', 'x-mcp-header': 'Region' },
      size: { type: 'integer', 'x-mcp-header': 'Size' },
    },
  } as const;
  const server = createServer(info, { onError: () => undefined })
    .tool('query', { input }, () => 'ran')
    .prompt('greet', {}, () => 'Hi')
    .resource('a://a', {}, () => 'x')
    .tool('where', {}, async (_, ctx) => `${(await ctx.roots('roots')).length}`);
  const serving = await serveHttp(server, { limits: { drain: 100 } });
  onTestFinished(() => serving.close());
  const peer = await HttpPeer.open(serving.url, { revision, capabilities: { roots: {} } });
  return { url: new URL(serving.url), peer };
}

const call = (args: object) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'query', arguments: args, _meta },
});

test('a parameter that is null needs no header', async () => {
  shows('2026-07-28/basic/transports/streamable-http/value-null-server');
  const { peer } = await served();
  const response = await peer.post(call({ region: null }), standard);
  // The tool wants a text and says so; HTTP has nothing against it.
  expect(response.status).toBe(200);
  expect((await messagesOf(response))[0]?.error?.code).not.toBe(-32020);
});

test.each([
  ['missing', { region: 'eu' }, {}, '2026-07-28/basic/transports/streamable-http/header-omitted'],
  [
    'different',
    { region: 'eu' },
    { 'mcp-param-region': 'us' },
    '2026-07-28/basic/transports/streamable-http/validate-encoded',
  ],
  [
    'wrapped badly',
    { region: 'eu' },
    { 'mcp-param-region': '=?base64?e?=' },
    '2026-07-28/basic/transports/streamable-http/validate-encoded',
  ],
  ['no number', { size: 1 }, { 'mcp-param-size': 'one' }],
  ['there without a value', {}, { 'mcp-param-region': 'eu' }],
])('a header of a parameter that is %s is answered 400 and -32020', async (...[, args, headers, ...ids]) => {
  shows('2026-07-28/basic/transports/streamable-http/param-mismatch', ...ids);
  const { peer } = await served();
  const response = await peer.post(call(args), { ...standard, ...headers });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ id: 1, error: { code: -32020 } });
});

test('a header of a parameter with invalid characters is answered 400', async () => {
  shows('2026-07-28/basic/transports/streamable-http/invalid-characters');
  const { url } = await served();
  const body = JSON.stringify(call({ region: 'é' }));
  const answer = await raw(url, body, ['Mcp-Method: tools/call', 'Mcp-Name: query', 'Mcp-Param-Region: é']);
  expect(answer).toContain('400 Bad Request');
  expect(answer).toContain('-32020');
});

test('names of headers are read in any case, their values are not', async () => {
  shows('2026-07-28/basic/transports/streamable-http/header-names-case');
  const { url } = await served();
  const body = JSON.stringify(call({ region: 'eu' }));
  const loud = ['MCP-METHOD: tools/call', 'mCP-nAME: query', 'MCP-PARAM-REGION: eu'];
  expect(await raw(url, body, loud)).toContain('200 OK');
  for (const [from, to] of [
    ['tools/call', 'Tools/Call'],
    ['query', 'QUERY'],
    [': eu', ': EU'],
  ] as const) {
    const answer = await raw(
      url,
      body,
      loud.map((line) => line.replace(from, to)),
    );
    expect(answer, to).toContain('400 Bad Request');
    expect(answer, to).toContain('-32020');
  }
});

test.each([
  ['tools/call', 'query'],
  ['prompts/get', 'greet', '2026-07-28/basic/transports/streamable-http/mcp-name'],
  ['resources/read', 'a://a', '2026-07-28/basic/transports/streamable-http/mcp-name'],
])('%s needs its name in a header, and the right one', async (method, name, ...ids) => {
  shows(...ids);
  const { peer } = await served();
  const params = method === 'resources/read' ? { uri: name } : { name };
  expect((await peer.send(method, params)).status).toBe(200);
  for (const given of [undefined, 'another', name.toUpperCase(), '']) {
    const response = await peer.send(method, params, { 'mcp-name': given });
    expect(response.status, String(given)).toBe(400);
    expect((await messagesOf(response))[0]?.error?.code, String(given)).toBe(-32020);
  }
});

test.each(['completion/complete', 'tools/weld', 'notifications/cancelled', 'resources/subscribe'])(
  'a method the server does not have is answered 404 and -32601: %s',
  async (method) => {
    shows('2026-07-28/basic/transports/streamable-http/method-not-found');
    const { peer } = await served();
    const response = await peer.send(method);
    expect(response.status).toBe(404);
    expect(await messagesOf(response)).toMatchObject([{ id: 1, error: { code: -32601 } }]);
  },
);

test('a notification that cannot be taken is answered with 400, and no result', async () => {
  shows('2026-07-28/basic/transports/streamable-http/notification-refused');
  const { peer } = await served();
  const odd = { jsonrpc: '1.0', method: 'notifications/cancelled' };
  const response = await peer.post(odd, { 'mcp-protocol-version': revision.id });
  expect(response.status).toBe(400);
  const body = await response.text();
  expect(body === '' ? {} : JSON.parse(body)).not.toHaveProperty('result');
});

test('sends an input request over HTTP only in the response', async () => {
  shows('2026-07-28/basic/transports/streamable-http/no-requests-on-stream');
  const { peer } = await served();
  const messages = await peer.messages('tools/call', { name: 'where', _meta: { progressToken: 1 } });
  expect(messages).toHaveLength(1);
  expect(messages[0]?.result).toMatchObject({
    resultType: 'input_required',
    inputRequests: { roots: { method: 'roots/list' } },
  });
});

/** The server's response to headers that are written unchanged, in bytes of Latin-1. */
async function raw(url: URL, body: string, headers: readonly string[]): Promise<string> {
  const socket = connect(Number(url.port), url.hostname);
  await once(socket, 'connect');
  const lines = [
    `POST ${url.pathname} HTTP/1.1`,
    `Host: ${url.host}`,
    'Connection: close',
    'Content-Type: application/json',
    'Accept: application/json, text/event-stream',
    `MCP-PROTOCOL-VERSION: ${revision.id}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...headers,
  ];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
  socket.write(body);
  return text(socket);
}
