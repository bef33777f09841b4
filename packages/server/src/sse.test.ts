import { once } from 'node:events';
import { createServer as createHttpServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json, text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { shows } from '../../../tooling/suite/shows.js';
import { Old, raw } from '../test/old-peer.js';
import type { Json, WireMessage } from '../test/wire-peer.js';
import { serveHttp } from './http.js';
import { createServer } from './server.js';
import { sseMount, sseNodeHandler } from './sse.js';

const info = { name: 'test', version: '1' };

/** A gate that a tool waits at. */
function gate() {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

async function serve(server: ReturnType<typeof createServer>, options: Parameters<typeof serveHttp>[1] = {}) {
  const serving = await serveHttp(server, { mounts: [sseMount(server)], ...options });
  onTestFinished(() => serving.close());
  return { serving, origin: new URL(serving.url).origin };
}

const textOf = (message: WireMessage): Json | undefined => message.result?.content?.[0]?.text;

describe('a server over HTTP+SSE', () => {
  it('shakes hands, lists, calls and tells of progress in the revision of the transport', async () => {
    const server = createServer(info).tool('add', { input: z.object({ a: z.number() }) }, ({ a }, ctx) => {
      ctx.progress(1, 2);
      return String(a + 1);
    });
    const { origin } = await serve(server);
    const client = await Old.open(origin);
    expect(client.received[0]?.result).toMatchObject({ protocolVersion: '2024-11-05', serverInfo: info });
    expect((await client.ask(1, 'tools/list')).result?.tools?.map((tool) => tool.name)).toEqual(['add']);
    const answer = await client.call(2, 'add', { arguments: { a: 1 }, _meta: { progressToken: 'p' } });
    expect(textOf(answer)).toBe('2');
    const progress = await client.next(({ method }) => method === 'notifications/progress');
    expect(progress.params).toEqual({ progressToken: 'p', progress: 1, total: 2 });
    expect(client.received.indexOf(progress)).toBeLessThan(client.received.indexOf(answer));
    expect((await client.ask(3, 'no/such')).error?.code).toBe(-32601);
  });

  it('sends input requests on the stream, and receives the answer by a separate message', async () => {
    const server = createServer(info).tool('ask', {}, async (_, ctx) => {
      const { content } = await ctx.sample('q', {
        messages: [{ role: 'user', content: { type: 'text', text: 'Well?' } }],
        maxTokens: 10,
      });
      return JSON.stringify(content);
    });
    const { origin } = await serve(server);
    const client = await Old.open(origin, { capabilities: { sampling: {} } });
    const called = client.call(1, 'ask');
    const { id } = await client.next(({ method }) => method === 'sampling/createMessage');
    const result = { role: 'assistant', content: { type: 'text', text: 'Yes.' }, model: 'm' };
    await client.post({ jsonrpc: '2.0', id, result });
    expect(textOf(await called)).toContain('Yes.');
  });

  it('keeps two clients apart that use the same ids and tokens', async () => {
    const gates = { ann: gate(), bob: gate() };
    const server = createServer(info).tool(
      'work',
      { input: z.object({ who: z.enum(['ann', 'bob']) }) },
      async ({ who }, ctx) => {
        await gates[who].opened;
        ctx.progress(1, 1, who);
        ctx.log('info', who);
        return who;
      },
    );
    const { origin } = await serve(server);
    const [ann, bob] = [await Old.open(origin), await Old.open(origin)];
    const more = { _meta: { progressToken: 1 } };
    const answers = [
      ann.call(1, 'work', { arguments: { who: 'ann' }, ...more }),
      bob.call(1, 'work', { arguments: { who: 'bob' }, ...more }),
    ];
    gates.bob.open();
    expect(textOf((await answers[1]) as WireMessage)).toBe('bob');
    // What one cancels is its own, whatever the ids are.
    await bob.post({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    gates.ann.open();
    expect(textOf((await answers[0]) as WireMessage)).toBe('ann');
    expect(JSON.stringify(ann.received)).not.toContain('bob');
    expect(JSON.stringify(bob.received)).not.toContain('ann');
  });

  it('notifies every client of a list change, and subscribers of a resource', async () => {
    const server = createServer(info).resource('a://x', {}, () => 'x');
    const { origin } = await serve(server);
    const [ann, bob] = [await Old.open(origin), await Old.open(origin)];
    await ann.ask(1, 'resources/subscribe', { uri: 'a://x' });
    server.resourceUpdated('a://x');
    server.resource('a://y', {}, () => 'y');
    const change = ({ method }: WireMessage) => method === 'notifications/resources/list_changed';
    await Promise.all([ann.next(change), bob.next(change)]);
    const updates = (client: Old) =>
      client.received.filter(({ method }) => method === 'notifications/resources/updated');
    expect([updates(ann).length, updates(bob).length]).toEqual([1, 0]);
  });

  it('cancels running calls when the client disconnects', async () => {
    shows('2024-11-05/basic/lifecycle/http-closed');
    const [begun, cancelled] = [gate(), gate()];
    const server = createServer(info).tool('wait', {}, async (_, ctx) => {
      ctx.signal.addEventListener('abort', () => cancelled.open());
      begun.open();
      await cancelled.opened;
      return 'late';
    });
    const { origin } = await serve(server);
    const client = await Old.open(origin);
    client.call(1, 'wait').catch(() => undefined);
    await begun.opened;
    client.leave();
    await cancelled.opened;
    expect((await client.post({ jsonrpc: '2.0', id: 2, method: 'ping' })).statusCode).toBe(404);
  });

  it('lets running calls finish when the server closes', async () => {
    const [begun, go] = [gate(), gate()];
    const server = createServer(info).tool('wait', {}, async () => {
      begun.open();
      await go.opened;
      return 'done';
    });
    const { origin, serving } = await serve(server);
    const client = await Old.open(origin);
    const called = client.call(1, 'wait');
    await begun.opened;
    const closed = serving.close();
    go.open();
    expect(textOf(await called)).toBe('done');
    await Promise.all([closed, client.ended]);
  });

  it('accepts messages only of the caller who opened the stream', async () => {
    shows('2024-11-05/basic/index/own-authentication');
    const server = createServer(info).tool('whoami', {}, (_, ctx) => ctx.auth?.id ?? 'nobody');
    const { origin } = await serve(server, {
      authenticate({ header }) {
        const id = header('authorization');
        return id === undefined ? { status: 401, reason: 'Who are you?' } : { id };
      },
    });
    const refused = await raw(`${origin}/sse`);
    expect(refused.statusCode).toBe(401);
    refused.resume();
    const ann = await Old.open(origin, { headers: { authorization: 'ann' } });
    expect(textOf(await ann.call(1, 'whoami'))).toBe('ann');
    const bob = await Old.open(origin, { headers: { authorization: 'bob' } });
    bob.endpoint = ann.endpoint;
    const stolen = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'whoami' } };
    expect((await bob.post(stolen)).statusCode).toBe(404);
  });

  it('serves both endpoints beside each other', async () => {
    shows(
      '2026-07-28/basic/transports/streamable-http/sse-migrate',
      '2026-07-28/basic/transports/streamable-http/sse-beside',
    );
    const server = createServer(info).tool('x', {}, () => 'x');
    const { origin, serving } = await serve(server);
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    };
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: info };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
    const newer = await raw(serving.url, { method: 'POST', headers, body });
    expect(await json(newer)).toMatchObject({ result: { protocolVersion: '2025-06-18' } });
    // A client that tries the newer transport here must be able to tell that it has to fall back.
    const older = await raw(`${origin}/sse`, { method: 'POST', headers, body });
    expect(older).toMatchObject({ statusCode: 405, headers: { allow: 'GET' } });
    expect(await json(older)).toMatchObject({ error: { code: -32600 } });
  });
});

describe('a handler for node:http', () => {
  async function host(listener: (...args: Parameters<ReturnType<typeof sseNodeHandler>>) => void) {
    const http: Server = createHttpServer(listener).listen(0, '127.0.0.1');
    await once(http, 'listening');
    onTestFinished(async () => {
      http.closeAllConnections();
      http.close();
      await once(http, 'close');
    });
    return `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  }

  it('answers both paths, checks hosts and origins, and drains', async () => {
    shows('2024-11-05/basic/transports/two-endpoints');
    const handler = sseNodeHandler(createServer(info).tool('x', {}, () => 'hello'));
    const origin = await host(handler);
    const client = await Old.open(origin);
    expect(textOf(await client.call(1, 'x'))).toBe('hello');
    for (const headers of [{ host: 'evil.example.com' }, { origin: 'https://evil.example.com' }] as const) {
      expect((await raw(`${origin}/sse`, { headers })).statusCode).toBe(403);
    }
    expect((await raw(`${origin}/other`)).statusCode).toBe(404);
    expect([handler.sessions, handler.ready]).toEqual([1, true]);
    await handler.drain();
    await client.ended;
    expect([handler.sessions, handler.ready]).toEqual([0, false]);
  });

  it('accepts a parsed body and an authenticated caller', async () => {
    const handler = sseNodeHandler(
      createServer(info).tool('whoami', {}, (_, ctx) => ctx.auth?.id ?? 'nobody'),
    );
    const origin = await host((incoming, response) => {
      void text(incoming).then((read) => {
        const body = read === '' ? undefined : (JSON.parse(read) as unknown);
        handler.serve(incoming, response, { body, principal: { id: 'ann' } });
      });
    });
    const client = await Old.open(origin);
    expect(textOf(await client.call(1, 'whoami'))).toBe('ann');
  });
});
