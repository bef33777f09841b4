import { defineMethod } from '@tenon/mcp-protocol';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { everyRevision, latestStateless, WirePeer } from '../../test/wire-peer.js';
import { defineExtension } from '../extensions/define-extension.js';
import { createServer } from '../server.js';

const info = { name: 'test', version: '1' };

interface Caller {
  readonly number: number;
}

/** A server with middleware that numbers the requests of clients. */
function numbered() {
  let count = 0;
  const released: number[] = [];
  const server = createServer(info).use<{ caller: Caller }>(async (call, next) => {
    if (call.direction === 'outbound') return next();
    call.state.caller = { number: ++count };
    try {
      return await next();
    } finally {
      released.push(call.state.caller.number);
    }
  });
  return { server, released, requests: () => count };
}

describe.each(everyRevision)('ctx.state in $id', (revision) => {
  const method = defineMethod('acme/number');
  const number = ({ state }: { readonly state: { readonly caller: Caller } }) => `${state.caller.number}`;
  const { server, requests } = numbered();
  server
    .tool('t', {}, (_, ctx) => number(ctx))
    .prompt(
      'p',
      { args: z.object({ a: z.string() }), complete: { a: (_, ctx) => [number(ctx)] } },
      (_, ctx) => number(ctx),
    )
    .resource('a://{b}', { list: (ctx) => [{ uri: `a://${number(ctx)}`, name: 'b' }] }, (_, ctx) =>
      number(ctx),
    )
    .handle(method, (_, ctx) => ({ number: number(ctx) }));

  test.each([
    ['tools/call', { name: 't' }],
    ['prompts/get', { name: 'p', arguments: { a: '' } }],
    ['completion/complete', { ref: { type: 'ref/prompt', name: 'p' }, argument: { name: 'a', value: '' } }],
    ['resources/read', { uri: 'a://b' }],
    ['resources/list', {}],
    ['acme/number', {}],
  ])('has what middleware set for %s', async (name, params) => {
    const peer = await WirePeer.open(server, revision);
    const { result } = await peer.request(name, params);
    expect(JSON.stringify(result)).toContain(`${requests()}"`);
  });
});

test('requests at the same time have states of their own', async () => {
  const { server, released } = numbered();
  const waiting: (() => void)[] = [];
  let bothWait = () => {};
  const bothWaiting = new Promise<void>((resolve) => {
    bothWait = resolve;
  });
  server.tool('wait', {}, async (_, ctx) => {
    await new Promise<void>((resolve) => {
      if (waiting.push(resolve) === 2) bothWait();
    });
    return `${ctx.state.caller.number}`;
  });
  const peer = await WirePeer.open(server, latestStateless);
  const first = peer.request('tools/call', { name: 'wait' });
  const second = peer.request('tools/call', { name: 'wait' });
  await bothWaiting;
  for (const go of waiting.reverse()) go();
  const texts = (await Promise.all([first, second])).map(({ result }) => result?.content?.[0]?.text);
  expect(texts).toEqual(['1', '2']);
  expect(released).toEqual([2, 1]);
});

test('all middleware of a request shares its state, with changed params and in requests to the client too', async () => {
  const seen: unknown[] = [];
  const server = createServer(info)
    .use<{ user: string }>((call, next) => {
      call.state.user ??= 'ada';
      return next({ ...call.params });
    })
    .use<{ tenant: string }>((call, next) => {
      seen.push([call.direction, call.method, call.state]);
      call.state.tenant = `${call.state.user}'s`;
      return next();
    })
    .tool('where', {}, async (_, ctx) => {
      await ctx.roots('roots');
      return `${ctx.state.user} ${ctx.state.tenant}`;
    });
  const revision = everyRevision.find(({ lifecycle }) => lifecycle === 'handshake');
  const peer = await WirePeer.open(server, revision, { roots: {} });
  seen.length = 0;
  const call = peer.request('tools/call', { name: 'where' });
  peer.answer((await peer.heard('roots/list')).id, { roots: [] });
  expect((await call).result?.content?.[0]?.text).toBe("ada ada's");
  const state = { user: 'ada', tenant: "ada's" };
  expect(seen).toEqual([
    ['inbound', 'tools/call', state],
    ['outbound', 'roots/list', state],
  ]);
});

test('middleware fills the state again when a handler runs again with answers', async () => {
  const { server, released } = numbered();
  server.tool('where', {}, async (_, ctx) => {
    const before = ctx.state.caller.number;
    await ctx.roots('roots');
    return `${before} ${ctx.state.caller.number}`;
  });
  const peer = await WirePeer.open(server, latestStateless, { roots: {} });
  const first = (await peer.request('tools/call', { name: 'where' })).result;
  expect(released).toEqual([1]);
  const again = { requestState: first?.requestState, inputResponses: { roots: { roots: [] } } };
  const last = (await peer.request('tools/call', { name: 'where', ...again })).result;
  expect(last?.content?.[0]?.text).toBe('2 2');
  expect(released).toEqual([1, 2]);
});

test('a handler that is detached from its request keeps the state', async () => {
  let finished: Promise<unknown> | undefined;
  const extension = defineExtension({
    id: 'com.example/later',
    interceptToolCall(call) {
      finished = call.detach({ signal: new AbortController().signal });
      return { content: [{ type: 'text', text: 'started' }] };
    },
  });
  let answered = () => {};
  const afterAnswer = new Promise<void>((resolve) => {
    answered = resolve;
  });
  const released: string[] = [];
  const server = createServer(info, { extensions: [extension] })
    .use<{ user: string }>(async (call, next) => {
      call.state.user = 'ada';
      const result = await next();
      released.push(call.state.user);
      return result;
    })
    .tool('long', {}, async (_, ctx) => {
      await afterAnswer;
      return `${ctx.state.user} of ${released.length}`;
    });
  const peer = await WirePeer.open(server, latestStateless);
  const { result } = await peer.request('tools/call', { name: 'long' });
  expect(result?.content?.[0]?.text).toBe('started');
  released.length = 1;
  answered();
  expect(await finished).toMatchObject({ content: [{ text: 'ada of 1' }] });
});

test('is empty where no middleware fills it', async () => {
  const server = createServer(info).tool('t', {}, (_, ctx) => JSON.stringify(ctx.state));
  const peer = await WirePeer.open(server);
  expect((await peer.request('tools/call', { name: 't' })).result?.content?.[0]?.text).toBe('{}');
});
