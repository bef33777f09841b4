import type { CreateMessageParams } from '@tenon/mcp-protocol';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type Json, latestStateless as revision, WirePeer } from '../test/wire-peer.js';
import type { Context } from './context.js';
import { createServer } from './server.js';

const info = { name: 'test', version: '1' };
const everything = { elicitation: { form: {}, url: {} }, sampling: { tools: {} }, roots: {} };
const schema = z.object({ name: z.string() });

async function ask(ctx: Context): Promise<string> {
  const answer = await ctx.elicit('name', { message: 'Who?', schema });
  return answer.action === 'accept' ? answer.content.name : answer.action;
}

const asking = () =>
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
  test('may end with a question, and goes on with its answer', async () => {
    const peer = await WirePeer.open(asking(), revision, everything);
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

test('what was read with an answer is for no cache, whatever the options and the handler say of it', async () => {
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

test('what is read with state alone is for no cache either', async () => {
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

test('what cannot ask is refused its question: completion and lists', async () => {
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

test('an author can let a state be used once alone', async () => {
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

test('a call that is never taken up again leaves nothing behind', async () => {
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
  // With room for one request at a time, one that stayed would be in the way of the next.
  for (let time = 0; time < 3; time++) {
    const { result } = await peer.request('tools/call', { name: 'lock' });
    expect(result?.resultType).toBe('input_required');
  }
  expect(open).toBe(0);
  expect(signals.map((one) => one.aborted)).toEqual([true, true, true]);
});

test('roots that were told in one round are not asked for in the next', async () => {
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
  ])('a form of what forms cannot have is refused: %s', async (_, schema) => {
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

test('what a page told the server is in no answer and in no state', async () => {
  const vault = new Map<string, string>();
  const server = createServer(info).tool('pay', {}, async (_, ctx) => {
    const visit = await ctx.once('visit', () => 'visit-1');
    if ((await ctx.elicitUrl('page', { message: 'Pay', url: `https://example.com/${visit}` })) !== 'accept')
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
