// Several processes that share sessions and streams through Redis, behind any load balancer.
import { createServer } from '@tenon/mcp-server';
import { serveHttp } from '@tenon/mcp-server/http';
import { redisState } from '@tenon/mcp-state-redis';
import { z } from 'zod';

const { PORT = '3000', REDIS_URL = 'redis://127.0.0.1:6379' } = process.env;

const state = redisState(REDIS_URL);
const server = createServer({ name: 'orders', version: '1.0.0' }, { state }).tool(
  'order',
  { description: 'Orders an article', input: z.object({ article: z.string() }) },
  async ({ article }, ctx) => {
    const schema = z.object({ count: z.number().int().min(1) });
    const answer = await ctx.elicit('count', { message: `How many of ${article}?`, schema });
    return answer.action === 'accept' ? `Ordered ${answer.content.count} of ${article}` : 'Nothing ordered';
  },
);
const serving = await serveHttp(server, { port: Number(PORT) });
console.log(serving.url);
process.once('SIGTERM', async () => {
  await serving.close();
  await server.close();
  await state.close();
});
