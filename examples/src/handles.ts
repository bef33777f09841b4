// Tools that keep something between calls: one opens a basket and returns its handle, the others take it.
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
  onEnd: (items, why) => console.log('basket of', items.length, why), // frees what it held
});

const server = createServer({ name: 'shop', version: '1.0.0' })
  .tool('create_basket', { description: `Opens an empty basket. ${baskets.retention}` }, (_, ctx) => ({
    content: [],
    structuredContent: { basket: baskets.open(ctx, []) },
  }))
  .tool(
    'add_item',
    { description: 'Puts an item into a basket', input: z.object({ basket: z.string(), item: z.string() }) },
    ({ basket, item }, ctx) => {
      const items = baskets.get(ctx, basket); // throws what tells the model to open another one
      items.push(item);
      return `It holds ${items.join(', ')}`;
    },
  );
// #endregion

const client = await connectMemory(server, { info: { name: 'buyer', version: '1.0.0' } });
const { structuredContent } = await client.callTool('create_basket');
const { basket } = structuredContent as { basket: string };
await client.callTool('add_item', { basket, item: 'milk' });
const added = await client.callTool('add_item', { basket, item: 'bread' });
console.log(textOf(added.content));
const { isError, content } = await client.callTool('add_item', { basket: 'bsk_guessed', item: 'jam' });
console.log(isError, textOf(content));
await client.close();
baskets.closeAll();
