// Tools that request input and run steps once, in tasks that any process can continue.
import { textOf } from '@tenon/mcp-client';
import { connectMemory } from '@tenon/mcp-client/memory';
import { createServer } from '@tenon/mcp-server';
import { tasks } from '@tenon/mcp-tasks/server';
import { z } from 'zod';

const address = z.object({ street: z.string(), city: z.string() });
const consent = z.object({ agreed: z.boolean() });

async function reserve(item: string): Promise<string> {
  return `reservation of ${item}`;
}

async function ship(reservation: string, signal: AbortSignal): Promise<string> {
  signal.throwIfAborted();
  return `${reservation} is on its way`;
}

const server = createServer(
  { name: 'shop', version: '1.0.0' },
  { extensions: [tasks({ ttl: 86_400_000, limits: { perCaller: 100 } })] },
)
  // #region input
  .tool(
    'order',
    { input: z.object({ item: z.string() }), task: { support: 'always', inputFirst: ['address'] } },
    async ({ item }, ctx) => {
      // The call requests this before it becomes a task.
      const to = await ctx.elicit('address', { message: 'Where to?', schema: address });
      if (to.action !== 'accept') return 'Nothing was ordered.';
      // This runs once, also if another process continues the task.
      const reservation = await ctx.once('reserve', () => reserve(item));
      // The task requests this: its status is input_required meanwhile.
      const terms = await ctx.elicit('terms', { message: 'Do you agree to the terms?', schema: consent });
      if (terms.content?.agreed !== true) return 'The order was cancelled.';
      return ship(reservation, ctx.signal);
    },
  )
  // #endregion
  .tool(
    'charge',
    { task: { support: 'always', takeOver: false, immediate: 'The payment is on its way.' } },
    () => 'paid',
  );

// In revisions without tasks, each call waits for its result.
const client = await connectMemory(server, {
  info: { name: 'buyer', version: '1.0.0' },
  revision: '2025-06-18',
  onElicit: ({ message }) => {
    console.log(message);
    const content = message.startsWith('Where') ? { street: '1 Quay', city: 'Oslo' } : { agreed: true };
    return { action: 'accept', content };
  },
});
console.log(textOf((await client.callTool('order', { item: 'kettle' })).content));
await client.close();
await server.close();
