import { once } from 'node:events';
import { Agent, request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { MetaKey } from '@tenon/mcp-protocol';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { shows } from '../../../../tooling/suite/shows.js';
import { HttpPeer, messagesOf } from '../../test/http-peer.js';
import { latestStateless as revision, WirePeer } from '../../test/wire-peer.js';
import { serveHttp } from '../http.js';
import { createServer } from '../server.js';

const info = { name: 'test', version: '1' };
const forms = { elicitation: { form: {} } };
const stamped = (capabilities: object) => ({
  [MetaKey.protocolVersion]: revision.id,
  [MetaKey.clientCapabilities]: capabilities,
});

const requestingInput = () =>
  createServer(info).tool('ask', {}, async (_, ctx) => {
    const answer = await ctx.elicit('name', { message: 'Who?', schema: z.object({ name: z.string() }) });
    return answer.action === 'accept' ? `Hello ${answer.content.name}` : answer.action;
  });

test('a request is served that nothing went before', async () => {
  shows('2026-07-28/basic/versioning/discover-first', '2026-07-28/server/discover/optional');
  const peer = await WirePeer.open(requestingInput(), revision);
  expect((await peer.request('tools/list')).result?.tools).toHaveLength(1);
  expect(peer.received).toHaveLength(1);
});

test('what one request declares is nothing to the next', async () => {
  shows('2026-07-28/basic/index/no-context-of-requests');
  const server = requestingInput().tool('chat', {}, (_, ctx) => {
    ctx.log('error', 'x');
    ctx.progress(1);
    return ctx.client?.name ?? 'nobody';
  });
  const peer = await WirePeer.open(server, revision);
  const first = await peer.request('tools/call', { name: 'ask' }, stamped(forms));
  expect(first.result?.resultType).toBe('input_required');
  expect((await peer.request('tools/call', { name: 'ask' })).error?.code).toBe(-32021);
  const said = { [MetaKey.clientInfo]: info, [MetaKey.logLevel]: 'info', progressToken: 1 };
  expect((await peer.request('tools/call', { name: 'chat' }, said)).result?.content?.[0]?.text).toBe('test');
  peer.received.length = 0;
  expect((await peer.request('tools/call', { name: 'chat' })).result?.content?.[0]?.text).toBe('nobody');
  expect(peer.received).toHaveLength(1);
});

test('what one request declares is nothing to the next of the same connection over HTTP', async () => {
  shows('2026-07-28/basic/index/no-context-of-requests');
  const serving = await serveHttp(requestingInput(), { limits: { drain: 100 } });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(async () => {
    agent.destroy();
    await serving.close();
  });
  const ports = new Set<unknown>();
  const call = async (capabilities: object) => {
    const params = { name: 'ask', _meta: stamped(capabilities) };
    const sent = httpRequest(serving.url, { method: 'POST', agent, headers: headersOf('tools/call', 'ask') });
    sent.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }));
    const [response] = await once(sent, 'response');
    ports.add(response.socket.localPort);
    return [response.statusCode, JSON.parse(await text(response))];
  };
  expect(await call(forms)).toMatchObject([200, { result: { resultType: 'input_required' } }]);
  expect(await call({})).toMatchObject([400, { error: { code: -32021 } }]);
  expect(ports.size).toBe(1);
});

test('a call goes on over another connection than it began on', async () => {
  shows('2026-07-28/basic/index/no-same-connection');
  const server = requestingInput();
  const first = await WirePeer.open(server, revision, forms);
  const { requestState } = (await first.request('tools/call', { name: 'ask' })).result as never;
  await first.close();
  const second = await WirePeer.open(server, revision, forms);
  const inputResponses = { name: { action: 'accept', content: { name: 'Ada' } } };
  const answer = await second.request('tools/call', { name: 'ask', inputResponses, requestState });
  expect(answer.result?.content?.[0]?.text).toBe('Hello Ada');
});

test('over HTTP a request without its capabilities is answered 400', async () => {
  shows('2026-07-28/basic/index/meta-missing-http');
  const serving = await serveHttp(requestingInput(), { limits: { drain: 100 } });
  onTestFinished(() => serving.close());
  const peer = await HttpPeer.open(serving.url, { revision });
  for (const [_meta, missing] of [
    [{ [MetaKey.protocolVersion]: revision.id }, 'clientCapabilities'],
    [{ [MetaKey.clientCapabilities]: {} }, 'protocolVersion'],
  ] as const) {
    const response = await peer.post(
      { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta } },
      headersOf('tools/list'),
    );
    expect(response.status).toBe(400);
    const [answer] = await messagesOf(response);
    expect(answer).toMatchObject({ id: 1, error: { code: -32602 } });
    expect(answer?.error?.message).toContain(missing);
  }
});

function headersOf(method: string, name?: string): Record<string, string> {
  return {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': revision.id,
    'mcp-method': method,
    ...(name !== undefined && { 'mcp-name': name }),
  };
}
