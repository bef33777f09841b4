import type { Client, ClientOptions } from '@tenon/mcp-client';
import { createServer, type Server, type ServerOptions, textOf } from '@tenon/mcp-server';
import { type ConnectTestOptions, connectTest, everyRevision, FakeClock } from '@tenon/mcp-testing';
import { describe, expect, onTestFinished, test } from 'vitest';

const transports = ['memory', 'stdio', 'http'] as const;
const places = everyRevision.flatMap((revision) =>
  transports.map((transport) => [revision, transport] as const),
);

interface Stage {
  readonly revision: string;
  readonly transport: NonNullable<ConnectTestOptions['transport']>;
}

/** The errors a server reports to its author. */
function reporting(options: ServerOptions = {}) {
  const reported: { readonly error: unknown; readonly where: string }[] = [];
  const onError: ServerOptions['onError'] = (error, where) => void reported.push({ error, where });
  const server = createServer({ name: 'asking', version: '1.0.0' }, { onError, ...options });
  return { reported, server };
}

async function clientOf(server: Server, { revision, transport }: Stage, client: Partial<ClientOptions> = {}) {
  const connected = await connectTest(server, {
    revision,
    transport,
    client: { roots: [{ uri: 'file:///bench' }], ...client },
  });
  onTestFinished(() => connected.close());
  // Untyped, since each test registers its own tools.
  return connected.client as unknown as Client;
}

const text = ({ content }: { readonly content: Parameters<typeof textOf>[0] }) => textOf(content);

describe.each(places)('input requests in %s over %s', (revision, transport) => {
  const stage = { revision, transport };

  test('completes a wizard of thirty steps', async () => {
    const { server, reported } = reporting();
    server.tool('wizard', {}, async (_, ctx) => {
      let steps = 0;
      while (steps < 30) steps += (await ctx.roots(`step ${steps}`)).length;
      return `${steps} steps`;
    });
    const client = await clientOf(server, stage);
    expect(text(await client.callTool('wizard'))).toBe('30 steps');
    expect(reported).toEqual([]);
  });

  test('fails beyond 32 rounds with an error that names tool and limit', async () => {
    const { server, reported } = reporting();
    let answered = 0;
    server
      .tool('endless', {}, async (_, ctx) => {
        for (let step = 0; ; step++) {
          await ctx.roots(`step ${step}`);
          answered = step + 1;
        }
      })
      .tool('hello', {}, () => 'Hello');
    const client = await clientOf(server, stage);
    const result = await client.callTool('endless');
    const received = /The handler of tools\/call "endless" asks for input more than 32 times in one call/;
    expect([result.isError, text(result), answered]).toEqual([true, expect.stringMatching(received), 32]);
    expect(reported).toMatchObject([
      { error: { reason: 'limit', message: expect.stringMatching(received) } },
    ]);
    expect(text(await client.callTool('hello'))).toBe('Hello');
  });

  test('reports an input request that is never awaited, by tool and key', async () => {
    const { server, reported } = reporting();
    server
      .tool('hasty', {}, async (_, ctx) => {
        void ctx.roots('folders');
        return 'done';
      })
      .prompt('curt', {}, (_, ctx) => {
        void ctx.roots('folders');
        return 'done';
      });
    const client = await clientOf(server, stage);
    expect(text(await client.callTool('hasty'))).toBe('done');
    await client.getPrompt('curt');
    const named = (call: string) =>
      expect.stringMatching(
        new RegExp(`^The handler of ${call} returned without awaiting the input request "folders"`),
      );
    expect(reported).toMatchObject([
      { error: { message: named('tools/call "hasty"') }, where: 'tools/call' },
      { error: { message: named('prompts/get "curt"') }, where: 'prompts/get' },
    ]);
  });

  test('reports an invalid input request that is never awaited, and continues', async () => {
    const { server, reported } = reporting();
    server.tool('hasty', {}, async (_, ctx) => {
      void ctx.elicitUrl('page', { message: 'Go', url: 'nowhere' });
      void ctx.elicit('form', undefined as never);
      void ctx.roots('').then((roots) => roots);
      return 'done';
    });
    const client = await clientOf(server, stage);
    expect(text(await client.callTool('hasty'))).toBe('done');
    await new Promise((resolve) => setImmediate(resolve));
    expect(reported.map(({ error }) => String(error))).toEqual([
      expect.stringMatching(/tools\/call "hasty" returned without awaiting the input request "page", "form"/),
      expect.stringMatching(
        /tools\/call "hasty" does not handle that its input request "" failed \(The key of the input request must/,
      ),
    ]);
  });

  test('stops waiting after the total time of a call, and aborts its signal', async () => {
    const clock = new FakeClock();
    const { server } = reporting();
    server.tool('patient', {}, async (_, ctx) => `${(await ctx.roots('folders')).length}`);
    let ended = (_reason: unknown) => {};
    const aborted = new Promise((resolve) => (ended = resolve));
    const roots: ClientOptions['roots'] = (context) => {
      context.signal.addEventListener('abort', () => ended(context.signal.reason));
      void clock.advance(2_500);
      return new Promise(() => {});
    };
    const client = await clientOf(server, stage, { clock, roots });
    const call = client.callTool('patient', {}, { total: 2_500 });
    await expect(call).rejects.toMatchObject({
      reason: 'timeout',
      message: expect.stringMatching(/^tools\/call.* did not finish within 2500 ms.*"total"/),
    });
    expect(await aborted).toBeInstanceOf(Error);
  });
});

describe.each(transports)('input requests in a revision that runs handlers again, over %s', (transport) => {
  const stage = { revision: everyRevision[0] as string, transport };

  test('fail at once for another request under an answered key, with one elicitation', async () => {
    const { server, reported } = reporting();
    let runs = 0;
    let asked = 0;
    server.tool('fickle', {}, async (_, ctx) => {
      const params = { messages: [], maxTokens: ++runs };
      return (await ctx.sample('model', params)).model;
    });
    const onSample: ClientOptions['onSample'] = () => {
      asked++;
      return { role: 'assistant', content: { type: 'text', text: 'Hi' }, model: 'm' };
    };
    const client = await clientOf(server, stage, { onSample });
    const result = await client.callTool('fickle');
    expect([result.isError, text(result), runs, asked]).toEqual([
      true,
      expect.stringMatching(/Internal error|fickle/),
      2,
      1,
    ]);
    expect(reported).toHaveLength(1);
    expect(String(reported[0]?.error)).toMatch(/tools\/call "fickle".*"model".*varies between rounds/);
  });

  test('fail the call even if the error of another request is caught', async () => {
    const { server, reported } = reporting();
    let runs = 0;
    server.prompt('fickle', {}, async (_, ctx) => {
      const params = { messages: [], maxTokens: ++runs };
      return runs === 1
        ? (await ctx.sample('model', params)).model
        : ctx.sample('model', params).then(String, () => 'default');
    });
    const onSample: ClientOptions['onSample'] = () => ({
      role: 'assistant',
      content: { type: 'text', text: 'Hi' },
      model: 'm',
    });
    const client = await clientOf(server, stage, { onSample });
    await expect(client.getPrompt('fickle')).rejects.toMatchObject({ code: -32603 });
    expect(reported.map(({ error }) => String(error))).toEqual([
      expect.stringMatching(/prompts\/get "fickle".*"model".*varies between rounds/),
    ]);
  });
});
