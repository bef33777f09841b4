import { expect, test } from 'vitest';
import { WirePeer } from '../test/wire-peer.js';
import { toFetchHandler } from './fetch.js';
import { serveHttp, toNodeHandler } from './http.js';
import { serveMemory } from './memory.js';
import { createServer } from './server.js';
import { sseMount, sseNodeHandler } from './sse.js';
import { serveStdio } from './stdio.js';

const info = { name: 'test', version: '1' };

test.each<[string, (server: never) => unknown]>([
  ['serveStdio', serveStdio],
  ['serveHttp', serveHttp],
  ['toNodeHandler', toNodeHandler],
  ['toFetchHandler', toFetchHandler],
  ['serveMemory', serveMemory],
  ['sseMount', sseMount],
  ['sseNodeHandler', sseNodeHandler],
])('%s rejects a function that creates servers', async (name, serve) => {
  const factory = () => createServer(info);
  await expect(async () => serve(factory as never)).rejects.toThrow(
    `${name} takes a server of createServer(...), not a function that makes one: call it.`,
  );
});

test.each<[string, (ctx: never) => unknown, string]>([
  [
    'a form without a key',
    (ctx: { elicit(form: object): unknown }) => ctx.elicit({ message: '?', schema: {} }),
    "ctx.elicit takes a key first, not object: ctx.elicit('unit', { message, schema }).",
  ],
  [
    'an unknown type of input request',
    (ctx: { can(what: string): unknown }) => ctx.can('elicitUrl'),
    'Unknown kind of input request "elicitUrl": use one of elicit, elicit-url, sample, sample-tools, roots.',
  ],
  [
    'a key without a form',
    (ctx: { elicit(key: string): unknown }) => ctx.elicit('unit'),
    'ctx.elicit takes what to ask, after the key, not undefined',
  ],
  [
    'a page without a key',
    (ctx: { elicitUrl(page: object): unknown }) => ctx.elicitUrl({ message: '?', url: 'https://a.example' }),
    'ctx.elicitUrl takes a key first',
  ],
  [
    'a request to the model without a key',
    (ctx: { sample(params: object): unknown }) => ctx.sample({ messages: [], maxTokens: 1 }),
    'ctx.sample takes a key first',
  ],
])('reports %s to the author', async (_, ask, message) => {
  const reported: unknown[] = [];
  const server = createServer(info, { onError: (error) => reported.push(error) }).tool(
    'ask',
    {},
    (_, ctx) => ask(ctx as never) as never,
  );
  const peer = await WirePeer.open(server);
  await peer.request('tools/call', { name: 'ask' });
  expect(String(reported[0])).toContain(message);
});
