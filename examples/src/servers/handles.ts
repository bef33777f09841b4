// Tools that keep a basket between calls: one opens it and returns a handle, the other takes the handle.
import { textOf } from '@tenon/mcp-client';
import { connectMemory } from '@tenon/mcp-client/memory';
import { createHandles, createServer } from '@tenon/mcp-server';
import { z } from 'zod';

// #region handles
const baskets = createHandles<string[]>({
  prefix: 'bsk',
  name: 'basket',
  openedBy: 'create_basket',
  idle: 30 * 60_000,
  onEnd: (items, why) => console.log('basket of', items.length, why), // free what the value holds
});

const server = createServer({ name: 'shop', version: '1.0.0' })
  .tool('create_basket', { description: `Opens an empty basket. ${baskets.retention}` }, async (_, ctx) => ({
    content: [],
    structuredContent: { basket: await baskets.open(ctx, []) },
  }))
  .tool(
    'add_item',
    { description: 'Puts an item into a basket', input: z.object({ basket: z.string(), item: z.string() }) },
    async ({ basket, item }, ctx) => {
      const items = await baskets.get(ctx, basket); // throws a ToolError that names create_basket
      items.push(item);
      return `It holds ${items.join(', ')}`;
    },
  );
// #endregion

const client = await connectMemory(server, { info: { name: 'buyer', version: '1.0.0' } });
const { structuredContent } = await client.callTool('create_basket');
const basket = String(structuredContent?.basket);
await client.callTool('add_item', { basket, item: 'milk' });
const added = await client.callTool('add_item', { basket, item: 'bread' });
console.log(textOf(added.content));
const { isError, content } = await client.callTool('add_item', { basket: 'bsk_guessed', item: 'jam' });
console.log(isError, textOf(content));
await client.close();
baskets.closeAll();
