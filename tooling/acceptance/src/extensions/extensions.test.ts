import { type ClientExtension, textOf } from '@tenon/mcp-client';
import * as atClient from '@tenon/mcp-client/extension';
import { type CallToolResult, createServer, defineMethod, defineNotification } from '@tenon/mcp-server';
import * as atServer from '@tenon/mcp-server/extension';
import { connectTest, everyRevision } from '@tenon/mcp-testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';

const id = 'com.example/review';
const type = 'com.example/review';
const decide = defineMethod('review/decide', {
  params: z.object({ ticket: z.number(), approved: z.boolean() }),
});
const decided = defineNotification('notifications/review/decided', {
  params: z.object({ tool: z.string(), approved: z.boolean() }),
});
const picked = defineMethod('review/pick', { in: ({ lifecycle }) => lifecycle === 'handshake' });

/** Holds back the results of tools with the option `review`. */
function reviewed() {
  const held = new Map<number, { tool: string; result: CallToolResult }>();
  let host: atServer.ExtensionHost | undefined;
  const extension = atServer.defineExtension<typeof id, { review: string }>({
    id,
    filters: { reviews: { check: (value) => (Array.isArray(value) ? undefined : 'must be a list') } },
    toolOptions: { review: {} },
    resultTypes: [type],
    methods: [
      atServer.serve(decide, async ({ ticket, approved }) => {
        const { tool, result } = held.get(ticket) ?? { tool: 'none', result: { content: [] } };
        const matches = (tools: unknown) => Array.isArray(tools) && tools.includes(tool);
        await host?.publish(decided, { tool, approved }, { filter: 'reviews', matches });
        return { result: approved ? result : { content: [], isError: true } };
      }),
    ],
    async interceptToolCall(call, next) {
      const result = await next();
      if (call.option('review') === undefined || call.settings === undefined) return result;
      held.set(held.size, { tool: call.name, result: result as CallToolResult });
      return { resultType: type, ticket: held.size - 1 };
    },
    start: (given) => {
      host = given;
    },
  });
  return createServer({ name: 'drafts', version: '1' }, { extensions: [extension] })
    .tool('draft', { review: 'always', input: z.object({ to: z.string() }) }, ({ to }) => `Dear ${to}`)
    .tool('who', {}, async (_input, ctx) => JSON.stringify(await ctx.request(picked, {})));
}

const transports = ['memory', 'stdio', 'http'] as const;
const links = everyRevision.flatMap((revision) => transports.map((transport) => ({ revision, transport })));

describe.each(links)('an extension at both ends in $revision over $transport', (link) => {
  async function connected(extensions: readonly ClientExtension[]) {
    const { client, close } = await connectTest(reviewed(), { ...link, client: { extensions } });
    onTestFinished(close);
    return client;
  }

  it('handles results of its type, and receives its notifications', async () => {
    const reported: unknown[] = [];
    let arrived = () => {};
    const arrival = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const client = await connected([
      atClient.defineExtension({
        id,
        filters: ['reviews'],
        notifications: [
          atClient.listen(decided, (decision) => {
            reported.push(decision);
            arrived();
          }),
        ],
        resultTypes: [
          {
            type,
            async settle({ ticket }, { params, options: { signal }, client }) {
              const approved = params.arguments?.to === 'Ada';
              const answer = await client.request(decide, { ticket: Number(ticket), approved }, { signal });
              return answer.result as CallToolResult;
            },
          },
        ],
      }),
    ]);
    const filters = { reviews: ['draft'] };
    const watch = await client.watch({ filters }, () => {});
    expect(watch.honoured).toEqual(link.revision === '2026-07-28' ? { filters } : {});
    expect(await client.callTool('draft', { to: 'Ada' })).toMatchObject({
      content: [{ type: 'text', text: 'Dear Ada' }],
      isError: false,
    });
    expect(await client.callTool('draft', { to: 'Bob' })).toMatchObject({ isError: true });
    await arrival;
    expect(reported[0]).toEqual({ tool: 'draft', approved: true });
  });

  it('does nothing if the client does not have it', async () => {
    const client = await connected([]);
    const { content } = await client.callTool('draft', { to: 'Bob' });
    expect(content).toEqual([{ type: 'text', text: 'Dear Bob' }]);
  });

  it('handles its methods at the client in sessions', async () => {
    if (link.revision === '2026-07-28') return;
    const methods = [atClient.serve(picked, () => ({ picked: 'Ada' }))];
    const client = await connected([atClient.defineExtension({ id, methods })]);
    expect(textOf((await client.callTool('who')).content)).toBe('{"picked":"Ada"}');
  });
});

it('an extension of one end is rejected by the other, with the right import', async () => {
  const ours = atServer.defineExtension({ id, external: true });
  const theirs = atClient.defineExtension({ id, external: true });
  const server = () => createServer({ name: 'drafts', version: '1' }, { extensions: [theirs as never] });
  expect(server).toThrow(TypeError);
  expect(server).toThrow(
    `createServer: extensions[0] ("${id}") was not returned by defineExtension of @tenon/mcp-server: ` +
      `write extensions: [defineExtension({ id: "${id}", ... })].`,
  );
  await expect(connectTest(reviewed(), { client: { extensions: [ours as never] } })).rejects.toThrow(
    `connect: extensions[0] ("${id}") was not returned by defineExtension of @tenon/mcp-client`,
  );
});
