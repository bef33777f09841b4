// A method and a notification of your own.
// #region methods
import { connectMemory } from '@tenon/mcp-client/memory';
import { createServer, defineMethod, defineNotification } from '@tenon/mcp-server';
import { z } from 'zod';

const search = defineMethod('acme/search', {
  params: z.object({ query: z.string(), limit: z.number().default(10) }),
  result: z.object({ hits: z.array(z.string()) }),
});
const searched = defineNotification('notifications/acme/searched', {
  params: z.object({ shelves: z.number() }),
});

const server = createServer({ name: 'library', version: '1.0.0' }).handle(
  search,
  async ({ query, limit }, ctx) => {
    await ctx.notify(searched, { shelves: 3 });
    const titles = ['Moby-Dick', 'Typee'].filter((title) => title.includes(query));
    return { hits: titles.slice(0, limit) };
  },
);

const client = await connectMemory(server, { info: { name: 'reader', version: '1.0.0' } });
client.onNotification(searched, ({ shelves }) => console.log(`${shelves} shelves searched`));
const { hits } = await client.request(search, { query: 'Moby' });
console.log(hits.join(', '));
await client.close();
// #endregion
