import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { callAlone, type Endpoint, framesOf, next, textOf, WireSession } from '../test/wire.js';

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
    const { serving } = await import('./http-serve.js');
    return { url: serving.url, send: fetch, ...asNobody, stop: () => serving.close() };
  },
  'node:http': async () => {
    const { app, stop } = await import('./http-node.js');
    return { ...(await reached(app)), ...asNobody, stop };
  },
  Express: async () => {
    const { listening, stop } = await import('./http-express.js');
    return { ...(await reached(listening)), ...asAda, stop };
  },
  'Express after express.json()': async () => {
    const { listening, stop } = await import('./http-express.js');
    return { ...(await reached(listening, '/parsed/mcp')), ...asAda, stop };
  },
  Fastify: async () => {
    const { app } = await import('./http-fastify.js');
    return { ...(await reached(app.server)), ...asAda, stop: () => app.close() };
  },
  'Hono as a fetch handler': async () => {
    const { app, mcp } = await import('./http-hono.js');
    const send: Endpoint['send'] = async (url, init) => app.fetch(new Request(url, init));
    return { url: 'http://localhost/mcp', send, ...asAda, stop: () => mcp.drain() };
  },
  'Hono on Node': async () => {
    const { listening, stop } = await import('./http-hono-node.js');
    return { ...(await reached(listening as Server)), ...asAda, stop };
  },
};

describe.each(Object.entries(programs))('%s', (_, start) => {
  let program: Program;
  const cancelled = vi.fn();

  beforeAll(async () => {
    vi.stubEnv('PORT', '0');
    vi.resetModules();
    const { server } = await import('./http-notes.js');
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

  it('holds a session: a question inside a call, a stream beside it, and its end', async () => {
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

  it('cancels a call whose client goes away', async () => {
    cancelled.mockClear();
    const leaving = new AbortController();
    const call = { name: 'wait', progressToken: 'waiting', signal: leaving.signal };
    const frames = framesOf(await callAlone(program, call));
    await next(frames);
    leaving.abort();
    await vi.waitFor(() => expect(cancelled).toHaveBeenCalledOnce());
  });

  it('refuses what is no JSON, saying so', async () => {
    const headers = { ...program.headers, 'content-type': 'application/json', accept: '*/*' };
    const { status } = await program.send(program.url, { method: 'POST', headers, body: '{"jsonrpc":' });
    expect(status).toBe(400);
  });

  it('lets go of open streams when it stops', async () => {
    const session = await WireSession.open(program);
    const beside = framesOf(await session.without('GET'));
    await program.stop();
    expect(await beside.next()).toMatchObject({ done: true });
  });
});
