import { textOf } from '@tenon/mcp-client';
import { connectMemory } from '@tenon/mcp-client/memory';
import { idempotency, idempotencyKey } from '@tenon/mcp-idempotency/client';
import { idempotency as journal } from '@tenon/mcp-idempotency/server';
import { createServer } from '@tenon/mcp-server';
import { SharedMemory } from '@tenon/mcp-testing/state';

const memory = new SharedMemory(); // in production redisState(url) or postgresState(url)
let payments = 0;

/** One of several processes. */
const shop = () =>
  createServer({ name: 'shop', version: '1.0.0' }, { state: memory.open(), extensions: [journal()] }).tool(
    'charge',
    {},
    async (_input, ctx) => `Paid with ${await ctx.once('charge', () => `payment ${++payments}`)}`,
  );

for (const server of [shop(), shop()]) {
  const client = await connectMemory(server, {
    info: { name: 'assistant', version: '1.0.0' },
    extensions: [idempotency()],
  });
  // A key of your own. Without it each call has a random one, and is repeated with it after a lost answer.
  const { content } = await client.callTool('charge', {}, { meta: { [idempotencyKey]: 'order-1' } });
  console.log(textOf(content));
  await client.close();
  await server.close();
}
