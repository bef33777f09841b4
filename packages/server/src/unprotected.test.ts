import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { defineMethod } from '@tenon/mcp-protocol';
import { describe, expect, onTestFinished, test } from 'vitest';
import { HttpPeer } from '../test/http-peer.js';
import { everyRevision, latestStateless, WirePeer } from '../test/wire-peer.js';
import { WordGuard } from '../test/word-guard.js';
import { toFetchHandler } from './fetch.js';
import {
  type HttpServing,
  type NodeHandler,
  type ServeHttpOptions,
  serveHttp,
  toNodeHandler,
} from './http.js';
import { createServer, type Server } from './server.js';
import { sseNodeHandler } from './sse.js';

const scopes = ['notes:write'];
const patience = { limits: { drain: 100 } };
const unprotected = /needs scopes, but nothing authenticates callers over HTTP/;

function make(reports: unknown[] = []): Server {
  const onError = (error: unknown) => void reports.push(error);
  return createServer({ name: 'notes', version: '1' }, { onError }).tool(
    'read',
    {},
    () => 'read',
  ) as unknown as Server;
}

const entries: [string, (server: Server) => unknown][] = [
  ['tool "save"', (server) => server.tool('save', { scopes }, () => 'saved')],
  ['prompt "save"', (server) => server.prompt('save', { scopes }, () => 'saved')],
  ['resource "note:1"', (server) => server.resource('note:1', { scopes }, () => 'x')],
  ['resource template "note:{id}"', (server) => server.resource('note:{id}', { scopes }, () => 'x')],
  ['method "acme/save"', (server) => server.handle(defineMethod('acme/save', {}), () => ({}), { scopes })],
];

async function serve(server: Server, options: ServeHttpOptions = {}): Promise<HttpServing> {
  const serving = await serveHttp(server, { ...patience, ...options });
  onTestFinished(() => serving.close());
  return serving;
}

/** Calls the tool "save" without authorization, or as `authorization` says. */
async function save(url: string, authorization?: string, call: typeof fetch = fetch): Promise<Response> {
  const headers = authorization === undefined ? {} : { authorization };
  const peer = new HttpPeer(url, { revision: latestStateless, fetch: call });
  return peer.send('tools/call', { name: 'save' }, headers);
}

const handlers: Record<string, (server: Server) => Promise<(authorization?: string) => Promise<Response>>> = {
  async toNodeHandler(server) {
    const http = createHttpServer(toNodeHandler(server)).listen(0, '127.0.0.1');
    await once(http, 'listening');
    onTestFinished(() => {
      http.closeAllConnections();
      http.close();
    });
    const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
    return (authorization) => save(url, authorization);
  },
  async toFetchHandler(server) {
    const handler = toFetchHandler(server);
    const call: typeof fetch = (input, init) => handler(new Request(input, init));
    return (authorization) => save('http://localhost/mcp', authorization, call);
  },
};

describe('an entry with scopes on a server without authentication', () => {
  test.each(entries)('makes serveHttp reject, with the name of the %s', async (owner, register) => {
    const server = make();
    register(server);
    await expect(serveHttp(server, patience)).rejects.toThrow(`The ${owner} needs scopes, but nothing`);
    await expect(serveHttp(server, patience)).rejects.toThrow(/serveHttp\(server, \{ guard: /);
  });

  test.each(entries)('cannot be registered while serveHttp serves: %s', async (owner, register) => {
    const server = make();
    const serving = await serve(server);
    expect(() => register(server)).toThrow(`The ${owner} needs scopes, but nothing`);
    server.guard(new WordGuard());
    register(server);
    expect((await fetch(serving.url)).status).toBe(401);
  });

  test('can be registered once the server is not served over HTTP any more', async () => {
    const server = make();
    await (await serve(server)).close();
    server.tool('save', { scopes }, () => 'saved');
    server.removeTool('save');
    await serve(server);
  });

  test.each(Object.entries(handlers))(
    'makes a handler of %s refuse every request, and report why',
    async (_, face) => {
      const reports: unknown[] = [];
      const server = make(reports).tool('save', { scopes }, () => 'saved') as unknown as Server;
      const ask = await face(server);
      const refused = await ask();
      expect(refused.status).toBe(500);
      expect(await refused.json()).toMatchObject({
        error: { code: -32603, message: expect.stringMatching(/nothing authenticates its callers/) },
      });
      expect(reports).toEqual([expect.objectContaining({ message: expect.stringMatching(unprotected) })]);
      server.guard(new WordGuard());
      expect((await ask('ada notes:write')).status).toBe(200);
    },
  );

  test.each(Object.entries(handlers))(
    'cannot be registered once a handler of %s has answered an unauthenticated request',
    async (_, face) => {
      const server = make();
      const ask = await face(server);
      await ask();
      expect(() => server.tool('save', { scopes }, () => 'saved')).toThrow(unprotected);
    },
  );

  test('makes a handler of HTTP+SSE refuse every request', async () => {
    const server = make().tool('save', { scopes }, () => 'saved');
    const http = createHttpServer(sseNodeHandler(server)).listen(0, '127.0.0.1');
    await once(http, 'listening');
    onTestFinished(() => void http.close());
    const response = await fetch(`http://127.0.0.1:${(http.address() as AddressInfo).port}/sse`);
    expect(response.status).toBe(500);
    await response.text();
    http.closeAllConnections();
  });

  test.each(everyRevision)('is used in memory and over stdio by everybody, in $id', async (revision) => {
    const server = make().tool('save', { scopes }, () => 'saved');
    const peer = await WirePeer.open(server, revision);
    const { result } = await peer.request('tools/call', { name: 'save' });
    expect(result?.content).toMatchObject([{ text: 'saved' }]);
  });
});

describe('the option guard of serveHttp', () => {
  const scoped = () => make().tool('save', { scopes }, () => 'saved') as unknown as Server;

  test('protects from the first request on, with a guard made for the URL', async () => {
    const resources: string[] = [];
    const guard = (resource: string) => {
      resources.push(resource);
      return new WordGuard();
    };
    const { url } = await serve(scoped(), { guard, path: '/notes' });
    expect(resources).toEqual([url]);
    expect((await save(url)).status).toBe(401);
    expect((await save(url, 'ada notes:read')).status).toBe(403);
    expect((await save(url, 'ada notes:write')).status).toBe(200);
    expect((await fetch(new URL('/.well-known/told', url))).status).toBe(200);
  });

  test('accepts a guard unchanged', async () => {
    const { url } = await serve(scoped(), { guard: new WordGuard() });
    expect((await save(url)).status).toBe(401);
  });

  test.each<[string, ServeHttpOptions, RegExp]>([
    [
      'beside authenticate',
      { guard: new WordGuard(), authenticate: () => undefined },
      /leave authenticate out/,
    ],
    ['that makes no guard', { guard: (() => undefined) as never }, /takes a guard/],
  ])('makes serveHttp reject %s, and free the port', async (_, options, message) => {
    const first = await serve(make());
    await first.close();
    const { url } = first;
    const port = Number(new URL(url).port);
    await expect(serveHttp(scoped(), { ...options, port })).rejects.toThrow(message);
    await serve(make(), { port });
  });

  test('makes serveHttp reject on a server that has a guard', async () => {
    const server = scoped().guard(new WordGuard());
    await expect(serveHttp(server, { guard: new WordGuard() })).rejects.toThrow(/a guard already/);
  });
});

describe('a handler with callers known by other means', () => {
  const given: [string, (server: Server, principal: undefined) => Promise<number>][] = [
    [
      'toFetchHandler',
      async (server, principal) => {
        const call: typeof fetch = (input, init) =>
          toFetchHandler(server).serve(new Request(input, init), { principal });
        return (await save('http://localhost/mcp', undefined, call)).status;
      },
    ],
    [
      'toNodeHandler',
      async (server, principal) => {
        const handler: NodeHandler = toNodeHandler(server);
        const http = createHttpServer((request, response) => handler.serve(request, response, { principal }));
        await once(http.listen(0, '127.0.0.1'), 'listening');
        const { status } = await save(`http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`);
        http.closeAllConnections();
        http.close();
        return status;
      },
    ],
  ];

  test.each(given)('asks callers without a principal to authenticate: %s', async (_, ask) => {
    const server = make().tool('save', { scopes }, () => 'saved') as unknown as Server;
    expect(await ask(server, undefined)).toBe(401);
  });
});

test('ctx.requireScopes fails without authentication over HTTP', async () => {
  const server = make().tool('share', {}, (_, ctx) => {
    ctx.requireScopes('notes:share');
    return 'shared';
  });
  const { url } = await serve(server as unknown as Server);
  const peer = new HttpPeer(url, { revision: latestStateless });
  expect((await peer.request('tools/call', { name: 'share' })).error).toMatchObject({ code: -31003 });
});
