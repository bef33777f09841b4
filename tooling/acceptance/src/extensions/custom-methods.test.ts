import { type Call, createServer, defineMethod, defineNotification, type Server } from '@tenon/mcp-server';
import { connectTest, everyRevision } from '@tenon/mcp-testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';

const search = defineMethod('acme/search', {
  params: z.object({ query: z.string(), limit: z.number().int().default(10) }),
  result: z.object({ hits: z.array(z.string()) }),
});
const count = defineMethod('acme/count', {
  params: { type: 'object', properties: { of: { type: 'string' } }, required: ['of'] },
  result: { type: 'object', properties: { count: { type: 'integer' } }, required: ['count'] },
});
const rename = defineMethod('acme/rename', { requestsInput: true });
const indexed = defineNotification('notifications/acme/indexed', { params: z.object({ done: z.number() }) });
const pick = defineMethod('acme/pick', {
  params: z.object({ from: z.array(z.string()) }),
  result: z.object({ picked: z.string() }),
});

function library(): Server {
  return createServer({ name: 'library', version: '1' })
    .handle(search, async ({ query, limit }, ctx) => {
      await ctx.notify(indexed, { done: limit });
      return { hits: [query] };
    })
    .handle(count, ({ of }) => ({ count: String(of).length }))
    .handle(rename, async (_params, ctx) => {
      const form = { message: 'Which name?', schema: z.object({ name: z.string() }) };
      const answer = await ctx.elicit('name', form);
      return { name: answer.action === 'accept' ? answer.content.name : 'none' };
    });
}

async function connected(...args: Parameters<typeof connectTest>) {
  const { client, close } = await connectTest(...args);
  onTestFinished(close);
  return client;
}

const transports = ['memory', 'stdio', 'http'] as const;
const everywhere = everyRevision.flatMap((revision) =>
  transports.map((transport) => ({ revision, transport })),
);

describe.each(everywhere)('a custom method in $revision over $transport', (link) => {
  it('is called with typed params and result', async () => {
    const client = await connected(library(), link);
    const heard: number[] = [];
    client.onNotification(indexed, ({ done }) => heard.push(done));
    const { hits } = await client.request(search, { query: 'whales' });
    expect(hits satisfies string[]).toEqual(['whales']);
    expect(heard).toEqual([10]);
    expect(await client.request(count, { of: 'four' })).toMatchObject({ count: 4 });
  });

  it('rejects params of another shape at the client and at the server', async () => {
    const client = await connected(library(), link);
    await expect(client.request(search, { query: 1 } as never)).rejects.toThrow(
      /acme\/search: invalid params: query/,
    );
    const loose = defineMethod('acme/search');
    await expect(client.request(loose, { query: 1 })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('Invalid params for acme/search: query'),
    });
  });

  it('may request input', async () => {
    if (link.revision === '2024-11-05' || link.revision === '2025-03-26') return;
    const onElicit = () => ({ action: 'accept', content: { name: 'Moby' } }) as const;
    const client = await connected(library(), { ...link, client: { onElicit } });
    expect(await client.request(rename, {})).toMatchObject({ name: 'Moby' });
  });
});

describe.each(everyRevision)('a custom method in %s', (revision) => {
  const typed = (resultType: unknown) => ({ resultType, hits: [], inputRequests: {}, requestState: 's' });

  it.each([
    ['a result type of an extension', typed('task')],
    ['input requests that it wrote itself', typed('input_required')],
    ['a result type that is no text', typed(3)],
  ])('hides %s from the caller, and reports it', async (_what, result) => {
    const errors: unknown[] = [];
    const onError = (error: unknown) => errors.push(error);
    const asks = defineMethod('acme/asks', { requestsInput: true });
    const server = createServer({ name: 'typed', version: '1' }, { onError }).handle(asks, () => result);
    const client = await connected(server, { revision });
    await expect(client.request(asks, {})).rejects.toMatchObject({ code: -32603, message: /Internal error/ });
    expect(errors.map(String)).toEqual([
      `TypeError: The handler of acme/asks returned an invalid result: it has a "resultType", ${JSON.stringify(result.resultType)}: ` +
        'leave it out, the server writes it',
    ]);
  });

  it('may return a result type that the server writes', async () => {
    const handler = () => ({ resultType: 'complete', count: 1 });
    const server = createServer({ name: 'typed', version: '1' }).handle(defineMethod('acme/done'), handler);
    const client = await connected(server, { revision });
    expect(await client.request(defineMethod('acme/done'), {})).toMatchObject({ count: 1 });
  });
});

describe('a custom method', () => {
  it('reads a param "inputResponses" of its own, unless it has rounds', async () => {
    const params = { inputResponses: { a: 1 } };
    const echo = defineMethod('acme/echo');
    const server = createServer({ name: 'echo', version: '1' }).handle(echo, (given) => ({ given }));
    const client = await connected(server, { revision: '2026-07-28' });
    expect(await client.request(echo, params)).toMatchObject({ given: params });
  });

  it('passes through middleware on both ends', async () => {
    const seen: string[] = [];
    const note = (end: string) => (call: Call, next: () => Promise<never>) => {
      seen.push(`${end} ${call.direction} ${call.method}`);
      return next();
    };
    const server = library().use(note('server') as never);
    const client = await connected(server, { client: { middleware: [note('client') as never] } });
    await client.request(count, { of: 'x' });
    expect(seen).toContain('client outbound acme/count');
    expect(seen).toContain('server inbound acme/count');
  });

  it('is answered with -32601 if the server has no handler', async () => {
    const client = await connected(createServer({ name: 'empty', version: '1' }));
    await expect(client.request(count, { of: 'x' })).rejects.toMatchObject({ code: -32601 });
  });

  it('is unknown in revisions that it excludes', async () => {
    const stateless = defineMethod('acme/now', { in: ({ lifecycle }) => lifecycle === 'stateless' });
    const server = createServer({ name: 'clock', version: '1' }).handle(stateless, () => ({ now: 1 }));
    const recent = await connected(server, { revision: '2026-07-28' });
    expect(await recent.request(stateless, {})).toMatchObject({ now: 1 });
    const older = await connected(server, { revision: '2025-11-25' });
    await expect(older.request(stateless, {})).rejects.toMatchObject({ reason: 'not-in-revision' });
    await expect(older.request(defineMethod('acme/now'), {})).rejects.toMatchObject({ code: -32601 });
  });

  it('reports a result of another shape to the server, and hides it from the client', async () => {
    const errors: unknown[] = [];
    const server = createServer({ name: 'broken', version: '1' }, { onError: (error) => errors.push(error) });
    server.handle(search, () => ({ hits: 3 }) as never);
    const client = await connected(server);
    await expect(client.request(search, { query: 'x' })).rejects.toMatchObject({
      code: -32603,
      message: /Internal error/,
    });
    expect(String(errors[0])).toContain('The handler of acme/search returned an invalid result: hits');
  });

  it('rejects a result of another shape from the server', async () => {
    const server = createServer({ name: 'loose', version: '1' }).handle(defineMethod('acme/search'), () => ({
      hits: 3,
    }));
    const client = await connected(server);
    await expect(client.request(search, { query: 'x' })).rejects.toMatchObject({
      reason: 'invalid-answer',
      message: expect.stringContaining('The result of acme/search does not have its shape: hits'),
    });
  });

  it("rejects a result that would take the client's schema library too long", async () => {
    const hits = Array.from({ length: 20_000 }, (_, index) => index);
    const server = createServer({ name: 'loose', version: '1' }).handle(defineMethod('acme/search'), () => ({
      hits,
    }));
    const client = await connected(server);
    await expect(client.request(search, { query: 'x' })).rejects.toMatchObject({
      reason: 'invalid-answer',
      message: expect.stringContaining('more than 10000 values do not fit the schema'),
    });
  });

  it('of the client is called by a handler in a session, and fails without one', async () => {
    const shop = () =>
      createServer({ name: 'shop', version: '1' }).handle(search, async (_params, ctx) => {
        const { picked } = await ctx.request(pick, { from: ['a', 'b'] });
        return { hits: [picked] };
      });
    const inSession = await connected(shop(), { revision: '2025-11-25' });
    inSession.handle(pick, ({ from }) => ({ picked: from[1] ?? '' }));
    expect(await inSession.request(search, { query: '' })).toEqual({ hits: ['b'] });
    const alone = await connected(shop(), { revision: '2026-07-28' });
    alone.handle(pick, ({ from }) => ({ picked: from[1] ?? '' }));
    await expect(alone.request(search, { query: '' })).rejects.toMatchObject({ code: -32603 });
  });

  it.each([
    ['a name of the core protocol', () => defineMethod('tools/call'), /belongs to the core protocol/],
    ['a name without a prefix', () => defineMethod('search'), /must have a prefix and a slash/],
    [
      'a shape that is none',
      () => defineMethod('acme/x', { params: 'text' as never }),
      /"params" must be a Standard Schema/,
    ],
  ])('is rejected with %s', (_what, define, message) => {
    const server = createServer({ name: 'x', version: '1' });
    expect(() => server.handle(define(), () => ({}))).toThrow(message);
  });

  it('has one handler', () => {
    expect(() => library().handle(count, () => ({}))).toThrow(
      'the method "acme/count" has a handler already',
    );
  });
});
