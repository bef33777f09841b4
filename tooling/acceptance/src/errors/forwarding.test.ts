import { RemoteError as Received } from '@tenon/mcp-client';
import { createServer, type Middleware, RemoteError, RpcError, type Server } from '@tenon/mcp-server';
import { connectTest, everyRevision } from '@tenon/mcp-testing';
import { describe, expect, it } from 'vitest';

const info = { name: 'test', version: '1.0.0' };

/** A server with an error that must not reach the callers of another server. */
const upstream = createServer(info).tool('search', {}, () => {
  throw new RpcError(4_001, 'db-7.internal refused hunter2', { data: { host: 'db-7.internal' } });
});

interface Case {
  readonly name: string;
  /** Registers a handler that calls the other server. */
  declare(server: Server, search: () => Promise<unknown>): unknown;
  readonly method: 'tools/call' | 'prompts/get' | 'resources/read' | 'completion/complete';
  readonly params: object;
  /** The failure as the caller receives it. */
  readonly sees: object;
}

const hidden = { name: 'RemoteError', code: -32_603, peerMessage: 'Internal error', data: undefined };
const text = async (search: () => Promise<unknown>) => String(await search());

const cases: readonly Case[] = [
  {
    name: 'a tool',
    declare: (server, search) => server.tool('find', {}, () => text(search)),
    method: 'tools/call',
    params: { name: 'find' },
    sees: { isError: true },
  },
  {
    name: 'a prompt',
    declare: (server, search) => server.prompt('find', {}, () => text(search)),
    method: 'prompts/get',
    params: { name: 'find' },
    sees: hidden,
  },
  {
    name: 'a resource',
    declare: (server, search) => server.resource('note:1', {}, () => text(search)),
    method: 'resources/read',
    params: { uri: 'note:1' },
    sees: hidden,
  },
  {
    name: 'a completer',
    declare: (server, search) =>
      server.resource('note:{id}', { complete: { id: async () => [await text(search)] } }, () => 'a note'),
    method: 'completion/complete',
    params: { ref: { type: 'ref/resource', uri: 'note:{id}' }, argument: { name: 'id', value: '' } },
    sees: hidden,
  },
  {
    name: 'middleware',
    declare: (server, search) => {
      const look: Middleware = async (call, next) => {
        if (call.method === 'tools/call') await search();
        return next();
      };
      return server.tool('find', {}, () => 'found').use(look);
    },
    method: 'tools/call',
    params: { name: 'find' },
    sees: hidden,
  },
];

describe.each(everyRevision)('an error of another server in %s', (revision) => {
  it.each(cases)('is not forwarded by $name', async ({ declare, method, params, sees }) => {
    await using inner = await connectTest(upstream, { revision });
    const reports: unknown[] = [];
    const server = createServer(info, { onError: (error) => reports.push(error) });
    declare(server, () => inner.client.callTool('search'));
    await using outer = await connectTest(server, { revision });
    const outcome = await outer.client.request(method, params as never).catch((error: unknown) => error);
    expect(outcome).toMatchObject(sees);
    expect(JSON.stringify(outer.frames)).not.toMatch(/db-7|hunter2/);
    expect(reports).toMatchObject([
      {
        name: 'RemoteError',
        code: 4_001,
        message: 'tools/call search: db-7.internal refused hunter2',
        peerMessage: 'db-7.internal refused hunter2',
        data: { host: 'db-7.internal' },
        method: 'tools/call',
        subject: 'search',
      },
    ]);
  });

  it('is not forwarded to a server by a client handler', async () => {
    await using inner = await connectTest(upstream, { revision });
    const reports: unknown[] = [];
    const server = createServer(info, { onError: () => undefined });
    server.tool('think', {}, async (_, ctx) => {
      const messages = [{ role: 'user' as const, content: { type: 'text' as const, text: 'Well?' } }];
      return JSON.stringify(await ctx.sample('thought', { messages, maxTokens: 5 }));
    });
    const onSample = async () => {
      await inner.client.callTool('search');
      return { role: 'assistant' as const, model: 'm', content: { type: 'text' as const, text: 'Yes' } };
    };
    const onError = (error: unknown) => reports.push(error);
    await using outer = await connectTest(server, { revision, client: { onSample, onError } });
    const outcome = await outer.client
      .request('tools/call', { name: 'think' })
      .catch((error: unknown) => error);
    expect(JSON.stringify(outer.frames)).not.toMatch(/db-7|hunter2/);
    // Without live requests there is no response: the call fails with the handler's error.
    if (outcome instanceof Received) expect(outcome).toMatchObject({ code: 4_001, subject: 'search' });
    else expect(reports).toMatchObject([{ name: 'RemoteError', code: 4_001, subject: 'search' }]);
  });

  it('is forwarded when the author throws an RpcError for it', async () => {
    await using inner = await connectTest(upstream, { revision });
    const server = createServer(info).tool('find', {}, () =>
      inner.client.callTool('search').then(String, (error: unknown) => {
        throw error instanceof RemoteError ? new RpcError(error.code, 'No such index.') : error;
      }),
    );
    await using outer = await connectTest(server, { revision });
    await expect(outer.client.callTool('find')).rejects.toMatchObject({
      name: 'RemoteError',
      code: 4_001,
      message: 'tools/call find: No such index.',
      subject: 'find',
    });
  });
});
