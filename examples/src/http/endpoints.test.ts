import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
import { connect, textOf as textIn } from '@tenon/mcp-client';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { callAlone, type Endpoint, framesOf, next, textOf, WireSession } from '../../test/wire.js';

/** A program that serves: where it is reached, who the caller is to it, and how it ends. */
interface Program extends Endpoint {
  readonly caller: string;
  stop(): Promise<unknown>;
}

const asAda = { headers: { authorization: 'Bearer token-of-ada' }, caller: 'ada' };
const asNobody = { caller: 'everybody' };

async function reached(listening: Pick<Server, 'listening' | 'address'>, path = '/mcp') {
  if (!listening.listening) await once(listening as Server, 'listening');
  return { url: `http://127.0.0.1:${(listening.address() as AddressInfo).port}${path}`, send: fetch };
}

const programs: Readonly<Record<string, () => Promise<Program>>> = {
  'serveHttp on its own': async () => {
    const { serving } = await import('./serve.js');
    return { url: serving.url, send: fetch, ...asNobody, stop: () => serving.close() };
  },
  'node:http': async () => {
    const { app, stop } = await import('./node.js');
    return { ...(await reached(app)), ...asNobody, stop };
  },
  Express: async () => {
    const { listening, stop } = await import('./express.js');
    return { ...(await reached(listening)), ...asAda, stop };
  },
  'Express after express.json()': async () => {
    const { listening, stop } = await import('./express.js');
    return { ...(await reached(listening, '/parsed/mcp')), ...asAda, stop };
  },
  Fastify: async () => {
    const { app } = await import('./fastify.js');
    return { ...(await reached(app.server)), ...asAda, stop: () => app.close() };
  },
  'Hono as a fetch handler': async () => {
    const { app, mcp } = await import('./hono.js');
    const send: Endpoint['send'] = async (url, init) => app.fetch(new Request(url, init));
    return { url: 'http://localhost/mcp', send, ...asAda, stop: () => mcp.drain() };
  },
  'Hono on Node': async () => {
    const { listening, stop } = await import('./hono-node.js');
    return { ...(await reached(listening as Server)), ...asAda, stop };
  },
};

describe.each(Object.entries(programs))('%s', (_, start) => {
  let program: Program;
  const cancelled = vi.fn();

  beforeAll(async () => {
    vi.stubEnv('PORT', '0');
    vi.resetModules();
    const { server } = await import('./notes.js');
    server.tool('wait', {}, (_input, ctx) => {
      ctx.progress(1);
      return new Promise<string>((resolve) => {
        ctx.signal.addEventListener('abort', () => {
          cancelled();
          resolve('cancelled');
        });
      });
    });
    program = await start();
  });

  afterAll(() => program.stop());

  it('serves a session with an elicitation inside a call, a GET stream and DELETE', async () => {
    const session = await WireSession.open(program);
    const stream = await session.without('GET');
    expect(stream.headers.get('content-type')).toBe('text/event-stream');
    const beside = framesOf(stream);

    const saved = framesOf(await session.call('save_note', { name: 'milk', text: 'Buy milk' }));
    expect(textOf(await next(saved))).toBe(`Saved milk for ${program.caller}`);
    expect(await next(beside)).toMatchObject({ method: 'notifications/resources/list_changed' });

    const again = framesOf(await session.call('save_note', { name: 'milk', text: 'Buy oat milk' }));
    const question = await next(again);
    expect(question).toMatchObject({ method: 'elicitation/create', params: { message: 'Replace milk?' } });
    const answer = { action: 'accept', content: { sure: true } };
    expect((await session.post({ id: question.id, result: answer })).status).toBe(202);
    expect(textOf(await next(again))).toBe(`Saved milk for ${program.caller}`);

    expect((await session.without('DELETE')).status).toBe(204);
    expect(await beside.next()).toMatchObject({ done: true });
    expect((await session.call('count_words', { names: ['milk'] })).status).toBe(404);
  });

  it('answers alone what belongs to no session, in a stream once there is progress', async () => {
    const plain = await callAlone(program, {
      name: 'save_note',
      args: { name: 'tea', text: 'Buy green tea' },
    });
    expect(plain.headers.get('content-type')).toBe('application/json');
    expect(textOf(await next(framesOf(plain)))).toBe(`Saved tea for ${program.caller}`);

    const args = { names: ['tea', 'coffee'] };
    const streamed = await callAlone(program, { name: 'count_words', args, progressToken: 'words' });
    expect(streamed.headers.get('content-type')).toBe('text/event-stream');
    const frames = framesOf(streamed);
    for (const progress of [1, 2]) {
      expect(await next(frames)).toMatchObject({
        method: 'notifications/progress',
        params: { progressToken: 'words', progress, total: 2 },
      });
    }
    expect(textOf(await next(frames))).toBe('3 words');
    expect(await frames.next()).toMatchObject({ done: true });
  });

  it('cancels a call when the client disconnects', async () => {
    cancelled.mockClear();
    const leaving = new AbortController();
    const call = { name: 'wait', progressToken: 'waiting', signal: leaving.signal };
    const frames = framesOf(await callAlone(program, call));
    await next(frames);
    leaving.abort();
    await vi.waitFor(() => expect(cancelled).toHaveBeenCalledOnce());
  });

  it('rejects malformed JSON with a parse error', async () => {
    const headers = { ...program.headers, 'content-type': 'application/json', accept: '*/*' };
    const { status } = await program.send(program.url, { method: 'POST', headers, body: '{"jsonrpc":' });
    expect(status).toBe(400);
  });

  it('ends open streams when it stops', async () => {
    const session = await WireSession.open(program);
    const beside = framesOf(await session.without('GET'));
    await program.stop();
    expect(await beside.next()).toMatchObject({ done: true });
  });
});

describe('whole programs', () => {
  const info = { name: 'test', version: '1.0.0' };

  beforeAll(() => {
    vi.stubEnv('PORT', '0');
    vi.stubEnv('HOST', '127.0.0.1');
    vi.stubEnv('HOST_NAME', '127.0.0.1');
    vi.stubEnv('API_KEYS', 'ada:key-of-ada,bob:key-of-bob');
  });

  it('http-app serves the endpoint beside other routes', async () => {
    const { app, stop } = await import('./app.js');
    const { url } = await reached(app);
    expect(await (await fetch(new URL('/', url))).text()).toBe('Welcome');
    const client = await connect(url, { info });
    expect(textIn((await client.callTool('greet', { name: 'Ada' })).content)).toBe('Hello, Ada!');
    await client.close();
    await stop();
  });

  it('http-deploy knows callers by their keys, and rejects others', async () => {
    const { serving } = await import('./deploy.js');
    const { url } = serving;
    const client = await connect(url, { info, headers: { authorization: 'Bearer key-of-ada' } });
    const { content } = await client.callTool('greet', { greeting: 'Good morning' });
    expect(textIn(content)).toBe('Good morning, ada!');
    await client.close();
    const headers = { authorization: 'Bearer key-of-eve' };
    await expect(connect(url, { info, headers })).rejects.toMatchObject({ status: 401 });
    await serving.close();
  });
});
