// Two processes behind one port: `STATE_KEY=$(openssl rand -base64 32) node processes.js`.
import cluster from 'node:cluster';
import { createServer } from '@tenon/mcp-server';
import { serveHttp } from '@tenon/mcp-server/http';
import { z } from 'zod';

const { PORT = '3000', STATE_KEY } = process.env;
if (STATE_KEY === undefined) throw new Error('Set STATE_KEY to 32 random bytes in base64');

if (cluster.isPrimary) {
  for (let count = 0; count < 2; count += 1) cluster.fork();
  process.once('SIGTERM', () => {
    for (const worker of Object.values(cluster.workers ?? {})) worker?.kill('SIGTERM');
  });
} else {
  // The key is the same in all processes: each can open the state that another one sealed.
  const server = createServer({ name: 'orders', version: '1.0.0' }, { stateKeys: [STATE_KEY] }).tool(
    'order',
    { description: 'Orders an article', input: z.object({ article: z.string() }) },
    async ({ article }, ctx) => {
      const asked = await ctx.once('asked-by', () => process.pid);
      const schema = z.object({ count: z.number().int().min(1) });
      const answer = await ctx.elicit('count', { message: `How many of ${article}?`, schema });
      if (answer.action !== 'accept') return 'Nothing ordered';
      return `Ordered ${answer.content.count} of ${article}: asked by ${asked}, answered by ${process.pid}`;
    },
  );
  const serving = await serveHttp(server, { port: Number(PORT), sessions: false });
  console.log(serving.url);
  process.once('SIGTERM', () => void serving.close().then(() => process.disconnect?.()));
}
