// One of several processes behind a load balancer without affinity: shared state in Redis, and an end without a lost call.
import { hostname } from 'node:os';
import { createServer } from '@tenon/mcp-server';
import { serveHttp } from '@tenon/mcp-server/http';
import { redisState } from '@tenon/mcp-state-redis';
import { z } from 'zod';

const {
  PORT = '3000',
  HOST = '127.0.0.1',
  HOST_NAMES = 'localhost,127.0.0.1',
  DRAIN_MS = '20000',
  DRAIN_DELAY_MS = '0',
} = process.env;
const { REDIS_URL = 'redis://127.0.0.1:6379', REDIS_PASSWORD } = process.env;

const state = redisState({
  url: REDIS_URL,
  ...(REDIS_PASSWORD !== undefined && { connection: { password: REDIS_PASSWORD } }),
});
state.onStatus((status, cause) => console.error('state:', status, cause?.message ?? ''));

const drain = Number(DRAIN_MS);
const server = createServer({ name: 'orders', version: '1.0.0' }, { state, limits: { drain } }).tool(
  'order',
  { description: 'Orders an article', input: z.object({ article: z.string() }) },
  async ({ article }, ctx) => {
    // A step is kept with the call: it does not run again when another process continues the call.
    const begun = await ctx.once('begin', () => `${hostname()}/${process.pid}`);
    const schema = z.object({ count: z.number().int().min(1) });
    const answer = await ctx.elicit('count', { message: `How many of ${article}?`, schema });
    if (answer.action !== 'accept') return 'Nothing ordered';
    const finished = `${hostname()}/${process.pid}`;
    return `Ordered ${answer.content.count} of ${article}: begun by ${begun}, finished by ${finished}`;
  },
);

const serving = await serveHttp(server, {
  port: Number(PORT),
  host: HOST,
  allowedHosts: HOST_NAMES.split(','),
  limits: { drain },
  // The load balancer notices meanwhile.
  drainDelay: Number(DRAIN_DELAY_MS),
});
console.log(serving.url);

process.once('SIGTERM', async () => {
  await serving.close();
  await server.close();
  await state.close();
});
