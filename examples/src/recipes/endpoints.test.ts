import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
import { connect, textOf } from '@tenon/mcp-client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

const info = { name: 'test', version: '1.0.0' };
const ends: (() => unknown)[] = [];

beforeEach(() => {
  vi.stubEnv('PORT', '0');
  vi.resetModules();
});

afterEach(async () => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  await Promise.all(ends.splice(0).map((end) => end()));
});

/** The URL of a program, and a function that replaces the network. */
interface Place {
  readonly url: string;
  readonly fetch?: (url: string, init?: RequestInit) => Promise<Response>;
}

async function listening(server: Pick<Server, 'listening' | 'address'>, path = '/mcp'): Promise<Place> {
  if (!server.listening) await once(server as Server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}` };
}

function byFetch(answer: (request: Request) => Promise<Response>): Place {
  return { url: 'http://localhost/mcp', fetch: (url, init) => answer(new Request(url, init)) };
}

function deferred() {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

const programs: Readonly<Record<string, () => Promise<Place>>> = {
  Express: async () => {
    const program = await import('./express.js');
    ends.push(program.stop);
    return listening(program.listening);
  },
  'Express after express.json()': async () => {
    const program = await import('./express.js');
    ends.push(program.stop);
    return listening(program.listening, '/parsed/mcp');
  },
  Hono: async () => {
    const program = await import('./hono.js');
    ends.push(program.stop);
    return listening(program.listening as Server);
  },
  Fastify: async () => {
    const { app } = await import('./fastify.js');
    ends.push(() => app.close());
    return listening(app.server);
  },
  'Next.js': async () => {
    const { POST, GET, DELETE } = await import('./next-route.js');
    const route: Readonly<Record<string, typeof POST>> = { POST, GET, DELETE };
    return byFetch(
      (request) => route[request.method]?.(request) ?? Promise.reject(new Error(request.method)),
    );
  },
  'the module for Bun and Deno': async () => {
    const { default: module } = await import('./bun-deno.js');
    return byFetch(module.fetch);
  },
};

describe.each(Object.entries(programs))('%s', (_, start) => {
  it.each(['2025-11-25', '2026-07-28'])('answers a call in %s', async (revision) => {
    const { url, ...options } = await start();
    const client = await connect(url, { info, revision, ...options });
    const { content } = await client.callTool('greet', { name: 'Ada' });
    expect(textOf(content)).toMatch(/^Hello, Ada/);
    await client.close();
  });
});

it('answers 405 to GET and DELETE when a Next.js route has no sessions', async () => {
  const { GET, DELETE } = await import('./next-route.js');
  const headers = { accept: 'text/event-stream', 'mcp-protocol-version': '2025-11-25' };
  for (const [method, answer] of Object.entries({ GET, DELETE })) {
    const { status } = await answer(new Request('http://localhost/mcp', { method, headers }));
    expect(status).toBe(405);
  }
});

it('tells handlers who signed in to the Express application', async () => {
  const program = await import('./express.js');
  ends.push(program.stop);
  const { url } = await listening(program.listening, '/private/mcp');
  expect((await fetch(url, { method: 'POST' })).status).toBe(401);
  const client = await connect(url, { info, headers: { authorization: 'Bearer key-of-ada' } });
  const { content } = await client.callTool('greet', { name: 'Bob' });
  expect(textOf(content)).toBe('Hello, Bob, from ada!');
  await client.close();
});

it('closes the database after the running calls of a stopping server', async () => {
  const { database, serving, stop } = await import('./database.js');
  const order: string[] = [];
  const add = database.add.bind(database);
  const close = database.close.bind(database);
  const started = deferred();
  const release = deferred();
  vi.spyOn(database, 'add').mockImplementation(async (article, count) => {
    started.resolve();
    await release.promise;
    order.push('added');
    return add(article, count);
  });
  vi.spyOn(database, 'close').mockImplementation(() => {
    order.push('closed');
    return close();
  });
  const client = await connect(serving.url, { info });
  const call = client.callTool('add_stock', { article: 'tea', count: 2 });
  await started.promise;
  const stopped = stop();
  release.resolve();
  expect((await call).structuredContent).toEqual({ stock: 5 });
  await stopped;
  expect(order).toEqual(['added', 'closed']);
  await client.close();
});
