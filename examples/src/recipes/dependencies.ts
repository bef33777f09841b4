// A database connection for each tool call: middleware opens and releases it, handlers use it.
import { textOf } from '@tenon/mcp-client';
import { connectMemory } from '@tenon/mcp-client/memory';
import { createServer, type Middleware } from '@tenon/mcp-server';

const pool = {
  async acquire() {
    console.log('acquired');
    return { count: async (table: string) => table.length, release: () => console.log('released') };
  },
};
type Database = Awaited<ReturnType<typeof pool.acquire>>;

// #region dependencies
const withDatabase: Middleware<{ database: Database }> = async (call, next) => {
  if (call.direction !== 'inbound' || call.method !== 'tools/call') return next();
  const database = await pool.acquire();
  call.state.database = database;
  try {
    return await next();
  } finally {
    database.release();
  }
};

const server = createServer({ name: 'inventory', version: '1.0.0' })
  .use(withDatabase)
  .tool('count', { description: 'Counts the articles' }, async (_input, ctx) => {
    const articles = await ctx.state.database.count('articles'); // typed by the middleware above
    return `${articles} articles`;
  });
// #endregion

const client = await connectMemory(server, { info: { name: 'agent', version: '1.0.0' } });
const { content } = await client.callTool('count');
console.log(textOf(content));
await client.close();
