import type { CreateMessageParams } from '@tenon/mcp-protocol';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { shows, showsBy } from '../../../../tooling/suite/shows.js';
import { type Json, latestStateless as revision, WirePeer } from '../../test/wire-peer.js';
import type { Context } from '../context/context.js';
import { createServer } from '../server.js';

const info = { name: 'test', version: '1' };
const everything = { elicitation: { form: {}, url: {} }, sampling: { tools: {} }, roots: {} };
const schema = z.object({ name: z.string() });

async function ask(ctx: Context): Promise<string> {
  const answer = await ctx.elicit('name', { message: 'Who?', schema });
  return answer.action === 'accept' ? answer.content.name : answer.action;
}

const requestingInput = () =>
  createServer(info)
    .tool('t', {}, (_, ctx) => ask(ctx))
    .prompt('p', {}, (_, ctx) => ask(ctx))
    .resource('a://a', {}, (_, ctx) => ask(ctx));

const inputResponses = { name: { action: 'accept', content: { name: 'Ada' } } };

describe.each<[string, object, (result: Json | undefined) => unknown]>([
  ['tools/call', { name: 't' }, (result) => result?.content?.[0]?.text],
  ['prompts/get', { name: 'p' }, (result) => result?.messages?.[0]?.content?.text],
  ['resources/read', { uri: 'a://a' }, (result) => result?.contents?.[0]?.text],
])('%o', (method, params, textOf) => {
  test('may end with an input request, and continues with its answer', async () => {
    shows('2026-07-28/basic/patterns/mrtr/supported-requests');
    showsBy(method, {
      'tools/call': ['2026-07-28/client/elicitation/may-ask', '2026-07-28/server/tools/input-required'],
      'prompts/get': '2026-07-28/server/prompts/input-required',
      'resources/read': '2026-07-28/server/resources/input-required',
    });
    const peer = await WirePeer.open(requestingInput(), revision, everything);
    const first = (await peer.request(method, params)).result;
    expect(first).toMatchObject({
      resultType: 'input_required',
      inputRequests: { name: { method: 'elicitation/create' } },
    });
    expect(first).not.toHaveProperty('ttlMs');
    const requestState = String(first?.requestState);
    const second = (await peer.request(method, { ...params, inputResponses, requestState })).result;
    expect(second?.resultType).toBe('complete');
    expect(textOf(second)).toBe('Ada');
  });
});

test('a read with an answer is never cached, whatever the options and the handler declare', async () => {
  const hints = { ttlMs: 60_000, cacheScope: 'public' } as const;
  const server = createServer(info)
    .resource('a://option', { cache: hints }, (_, ctx) => ask(ctx))
    .resource('a://result', {}, async ({ uri }, ctx) => ({
      contents: [{ uri, text: await ask(ctx) }],
      ...hints,
    }));
  const peer = await WirePeer.open(server, revision, everything);
  for (const uri of ['a://option', 'a://result']) {
    const { requestState } = (await peer.request('resources/read', { uri })).result as Json;
    const { result } = await peer.request('resources/read', { uri, inputResponses, requestState });
    expect(result).toMatchObject({ contents: [{ text: 'Ada' }], ttlMs: 0, cacheScope: 'private' });
  }
});

test('a read with only state is never cached', async () => {
  shows('2026-07-28/server/utilities/caching/rounds-not-cached');
  const cache = { ttlMs: 60_000, cacheScope: 'public' } as const;
  let rounds = 0;
  const server = createServer(info).resource('a://a', { cache }, (_, ctx) => {
    rounds++;
    return rounds === 1 ? ask(ctx) : 'done without the answer';
  });
  const peer = await WirePeer.open(server, revision, everything);
  const { requestState } = (await peer.request('resources/read', { uri: 'a://a' })).result as Json;
  const { result } = await peer.request('resources/read', { uri: 'a://a', requestState });
  const contents = [{ uri: 'a://a', text: 'done without the answer' }];
  expect(result).toMatchObject({ contents, ttlMs: 0, cacheScope: 'private' });
});

test('rejects input requests of completion and lists', async () => {
  shows('2026-07-28/basic/patterns/mrtr/other-requests');
  const server = createServer(info, { onError: () => undefined }).resource(
    'a://{id}',
    {
      complete: { id: async (_, ctx) => [await ask(ctx as unknown as Context)] },
      list: async (ctx) => [{ uri: 'a://1', name: await ask(ctx) }],
    },
    () => 'x',
  );
  const peer = await WirePeer.open(server, revision, everything);
  const ref = { type: 'ref/resource', uri: 'a://{id}' };
  for (const [method, params] of [
    ['completion/complete', { ref, argument: { name: 'id', value: '' } }],
    ['resources/list', {}],
  ] as const) {
    const answer = await peer.request(method, params);
    expect(answer.result, method).toBeUndefined();
    expect(answer.error?.code, method).toBe(-32603);
  }
});

test('an author can limit a state to one use', async () => {
  shows('2026-07-28/basic/patterns/mrtr/state-once');
  const used = new Set<string>();
  const server = createServer(info).tool('redeem', {}, async (_, ctx) => {
    const ticket = await ctx.once('ticket', () => crypto.randomUUID());
    const who = await ask(ctx);
    if (used.has(ticket)) return 'used';
    used.add(ticket);
    return `redeemed by ${who}`;
  });
  const peer = await WirePeer.open(server, revision, everything);
  const { requestState } = (await peer.request('tools/call', { name: 'redeem' })).result as never;
  const again = async () =>
    (await peer.request('tools/call', { name: 'redeem', inputResponses, requestState })).result?.content?.[0]
      ?.text;
  expect([await again(), await again()]).toEqual(['redeemed by Ada', 'used']);
});

test('a call that is never continued leaves nothing behind', async () => {
  shows('2026-07-28/basic/patterns/mrtr/no-assumption');
  let open = 0;
  const signals: AbortSignal[] = [];
  const server = createServer(info, { limits: { inFlight: 1 } }).tool('lock', {}, async (_, ctx) => {
    open++;
    signals.push(ctx.signal);
    try {
      return await ask(ctx);
    } finally {
      open--;
    }
  });
  const peer = await WirePeer.open(server, revision, everything);
  // With a limit of one request at a time, a request that stayed would block the next.
  for (let time = 0; time < 3; time++) {
    const { result } = await peer.request('tools/call', { name: 'lock' });
    expect(result?.resultType).toBe('input_required');
  }
  expect(open).toBe(0);
  expect(signals.map((one) => one.aborted)).toEqual([true, true, true]);
});

test('does not request roots again that were sent in an earlier round', async () => {
  shows('2026-07-28/client/roots/cache-roots');
  const server = createServer(info).tool('t', {}, async (_, ctx) => {
    const roots = await ctx.roots('roots');
    return `${await ask(ctx)} in ${roots[0]?.uri}`;
  });
  const peer = await WirePeer.open(server, revision, everything);
  const first = (await peer.request('tools/call', { name: 't' })).result;
  expect(first?.inputRequests).toEqual({ roots: { method: 'roots/list' } });
  const second = (
    await peer.request('tools/call', {
      name: 't',
      inputResponses: { roots: { roots: [{ uri: 'file:///home' }] } },
      requestState: first?.requestState,
    })
  ).result;
  expect(Object.keys(second?.inputRequests ?? {})).toEqual(['name']);
  const last = await peer.request('tools/call', {
    name: 't',
    inputResponses,
    requestState: second?.requestState,
  });
  expect(last.result?.content?.[0]?.text).toBe('Ada in file:///home');
});

describe('sampling', () => {
  const text = { type: 'text', text: '?' } as const;
  const sampling = (params: CreateMessageParams) =>
    createServer(info, { onError: () => undefined }).tool('t', {}, async (_, ctx) => {
      const { stopReason } = await ctx.sample('s', params);
      return String(stopReason);
    });

  test("a reason to stop of the client's own reaches the handler", async () => {
    shows('2026-07-28/client/sampling/stop-reasons');
    const server = sampling({ messages: [{ role: 'user', content: text }], maxTokens: 5 });
    const peer = await WirePeer.open(server, revision, everything);
    const { requestState } = (await peer.request('tools/call', { name: 't' })).result as never;
    const s = { role: 'assistant', content: text, model: 'm', stopReason: 'vendorFilter' };
    const answer = await peer.request('tools/call', { name: 't', inputResponses: { s }, requestState });
    expect(answer.result?.content?.[0]?.text).toBe('vendorFilter');
  });
});

describe('forms', () => {
  test.each<[string, z.ZodObject]>([
    ['an object within', z.object({ a: z.object({ b: z.string() }) })],
    ['a list of objects', z.object({ a: z.array(z.object({ b: z.string() })) })],
    ['a list of any texts', z.object({ a: z.array(z.string()) })],
    ['anything', z.object({ a: z.unknown() })],
  ])('rejects a form with an invalid schema: %s', async (_, schema) => {
    shows('2026-07-28/client/elicitation/schema-flat');
    const errors: unknown[] = [];
    const server = createServer(info, { onError: (error) => errors.push(error) }).tool(
      't',
      {},
      (_input, ctx) => ctx.elicit('form', { message: '?', schema }).then(() => 'asked'),
    );
    const peer = await WirePeer.open(server, revision, everything);
    expect((await peer.request('tools/call', { name: 't' })).result?.isError).toBe(true);
    expect(String(errors[0])).toContain('"form"');
  });
});

test('data of a page is in no response and in no state', async () => {
  shows('2026-07-28/client/elicitation/credentials-not-transmitted');
  const vault = new Map<string, string>();
  const server = createServer(info).tool('pay', {}, async (_, ctx) => {
    const visit = await ctx.once('visit', () => 'visit-1');
    if (
      (await ctx.elicitUrl('page', { message: 'Pay', url: `https://example.com/${visit}` })).action !==
      'accept'
    )
      return 'declined';
    return vault.has(visit) ? 'paid' : 'not yet';
  });
  const peer = await WirePeer.open(server, revision, everything);
  const { requestState } = (await peer.request('tools/call', { name: 'pay' })).result as never;
  const again = async () =>
    (
      await peer.request('tools/call', {
        name: 'pay',
        inputResponses: { page: { action: 'accept' } },
        requestState,
      })
    ).result?.content?.[0]?.text;
  expect(await again()).toBe('not yet');
  vault.set('visit-1', 'sk_live_secret');
  expect(await again()).toBe('paid');
  expect(JSON.stringify(peer.received)).not.toContain('sk_live_secret');
});
