import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { HttpPeer, type HttpPeerOptions, messagesFrom } from '../test/http-peer.js';
import { everyRevision, latestStateless } from '../test/wire-peer.js';
import { toFetchHandler } from './fetch.js';
import { createServer } from './server.js';

const overHttp = everyRevision.filter((one) => one.lifecycle === 'stateless' || one.rules.resumable);

function make(options: Parameters<typeof toFetchHandler>[1] = {}) {
  const server = createServer({ name: 'test', version: '1' }).tool(
    'add',
    { input: z.object({ a: z.number() }) },
    ({ a }, ctx) => {
      ctx.progress(1, 1);
      return `${a + 1}`;
    },
  );
  const handler = toFetchHandler(server, options);
  const call: typeof fetch = (input, init) => handler(new Request(input, init));
  const open = (given: HttpPeerOptions = {}) =>
    HttpPeer.open('http://localhost/mcp', { fetch: call, ...given });
  return { server, handler, open };
}

describe.each(overHttp)('in $id', (revision) => {
  test('a call is answered', async () => {
    const peer = await make().open({ revision });
    const { result } = await peer.request('tools/call', { name: 'add', arguments: { a: 1 } });
    expect(result?.content?.[0]?.text).toBe('2');
  });

  test('sends progress before the response', async () => {
    const peer = await make().open({ revision });
    const _meta = { progressToken: 'p' };
    const messages = await peer.messages('tools/call', { name: 'add', arguments: { a: 1 }, _meta });
    expect(messages.map(({ method }) => method)).toEqual(['notifications/progress', undefined]);
  });
});

test('hosts are checked here too', async () => {
  const { handler } = make();
  const init = { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } };
  expect((await handler(new Request('http://evil.example/mcp', init))).status).toBe(403);
  const open = make({ allowedHosts: ['mcp.example.com'] }).handler;
  expect((await open(new Request('https://mcp.example.com/mcp', init))).status).toBe(400);
});

test('the principal an application has established reaches the handler', async () => {
  const server = createServer({ name: 'test', version: '1' }).tool('who', {}, (_, ctx) =>
    String(ctx.auth?.id),
  );
  const handler = toFetchHandler(server);
  const call: typeof fetch = (input, init) =>
    handler.serve(new Request(input, init), { principal: { id: 'ada' } });
  const peer = await HttpPeer.open('http://localhost/mcp', { fetch: call });
  expect((await peer.request('tools/call', { name: 'who' })).result?.content?.[0]?.text).toBe('ada');
  expect(handler.sessions).toBe(1);
});

test('a listen stream ends with its answer when the handler drains', async () => {
  const { handler, open } = make();
  const peer = await open({ revision: latestStateless });
  const response = await peer.send('subscriptions/listen', { notifications: { toolsListChanged: true } });
  const heard = [];
  for await (const message of messagesFrom(response)) {
    heard.push(message.method ?? message.id);
    if (heard.length === 1) void handler.drain();
  }
  expect(heard).toEqual(['notifications/subscriptions/acknowledged', 1]);
  expect(handler.ready).toBe(false);
});
