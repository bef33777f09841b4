// A tool with a step that runs once, although the handler runs twice in 2026-07-28. It prints each start of the handler.
import { textOf } from '@tenon/mcp-client';
import { connectMemory } from '@tenon/mcp-client/memory';
import { createServer } from '@tenon/mcp-server';
import { z } from 'zod';

let orders = 0;

const server = createServer({ name: 'shop', version: '1.0.0' }).tool(
  'order',
  { description: 'Orders an article after the user has confirmed', input: z.object({ article: z.string() }) },
  async ({ article }, ctx) => {
    console.log('the handler starts');
    // Without `once`, an order would be made each time the handler starts.
    const id = await ctx.once('order', () => {
      console.log('the step runs');
      return `order-${++orders}`;
    });
    const answer = await ctx.elicit('confirm', {
      message: `Buy ${article}?`,
      schema: z.object({ sure: z.boolean() }),
    });
    return answer.content?.sure ? `Bought ${article} as ${id}` : `Cancelled ${id}`;
  },
);

for (const revision of ['2025-11-25', '2026-07-28'] as const) {
  console.log(`${revision}:`);
  const client = await connectMemory(server, {
    info: { name: 'assistant', version: '1.0.0' },
    revision,
    onElicit: () => ({ action: 'accept', content: { sure: true } }),
  });
  const { content } = await client.callTool('order', { article: 'tea' });
  console.log(textOf(content));
  await client.close();
}
