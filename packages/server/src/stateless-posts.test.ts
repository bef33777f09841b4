import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { MetaKey } from '@tenon/mcp-protocol';
import { expect, onTestFinished, test } from 'vitest';
import { HttpPeer, messagesOf } from '../test/http-peer.js';
import { latestStateless as revision } from '../test/wire-peer.js';
import { serveHttp } from './http.js';
import { createServer } from './server.js';

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
  const { peer } = await served();
  const response = await peer.post(call({ region: null }), standard);
  // The tool wants a text and says so; HTTP has nothing against it.
  expect(response.status).toBe(200);
  expect((await messagesOf(response))[0]?.error?.code).not.toBe(-32020);
});

test.each([
  ['missing', { region: 'eu' }, {}],
  ['different', { region: 'eu' }, { 'mcp-param-region': 'us' }],
  ['wrapped badly', { region: 'eu' }, { 'mcp-param-region': '=?base64?e?=' }],
  ['no number', { size: 1 }, { 'mcp-param-size': 'one' }],
  ['there without a value', {}, { 'mcp-param-region': 'eu' }],
])('a header of a parameter that is %s is answered 400 and -32020', async (_, args, headers) => {
  const { peer } = await served();
  const response = await peer.post(call(args), { ...standard, ...headers });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ id: 1, error: { code: -32020 } });
});

test('a header of a parameter with invalid characters is answered 400', async () => {
  const { url } = await served();
  const body = JSON.stringify(call({ region: 'é' }));
  const answer = await raw(url, body, ['Mcp-Method: tools/call', 'Mcp-Name: query', 'Mcp-Param-Region: é']);
  expect(answer).toContain('400 Bad Request');
  expect(answer).toContain('-32020');
});

test('names of headers are read in any case, their values are not', async () => {
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
  ['prompts/get', 'greet'],
  ['resources/read', 'a://a'],
])('%s needs its name in a header, and the right one', async (method, name) => {
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
    const { peer } = await served();
    const response = await peer.send(method);
    expect(response.status).toBe(404);
    expect(await messagesOf(response)).toMatchObject([{ id: 1, error: { code: -32601 } }]);
  },
);

test('a notification that cannot be taken is answered with 400, and no result', async () => {
  const { peer } = await served();
  const odd = { jsonrpc: '1.0', method: 'notifications/cancelled' };
  const response = await peer.post(odd, { 'mcp-protocol-version': revision.id });
  expect(response.status).toBe(400);
  const body = await response.text();
  expect(body === '' ? {} : JSON.parse(body)).not.toHaveProperty('result');
});

test('a server that asks over HTTP sends its question in the answer alone', async () => {
  const { peer } = await served();
  const messages = await peer.messages('tools/call', { name: 'where', _meta: { progressToken: 1 } });
  expect(messages).toHaveLength(1);
  expect(messages[0]?.result).toMatchObject({
    resultType: 'input_required',
    inputRequests: { roots: { method: 'roots/list' } },
  });
});

/** What a server answers to headers that are written as they are given, in bytes of Latin-1. */
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
