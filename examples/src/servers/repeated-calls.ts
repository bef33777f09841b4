import { idempotency } from '@tenon/mcp-idempotency/server';
import { createServer } from '@tenon/mcp-server';
import { serveHttp } from '@tenon/mcp-server/http';
import { redisState } from '@tenon/mcp-state-redis';

const state = redisState('redis://localhost:6379');
const server = createServer({ name: 'shop', version: '1.0.0' }, { state, extensions: [idempotency()] }).tool(
  'charge',
  {},
  async (_input, ctx) => {
    const payment = await ctx.once('charge', () => crypto.randomUUID()); // runs once, however often the client repeats the call
    return `Paid with ${payment}`;
  },
);
await serveHttp(server, { port: 3000 });
