import { createServer } from '@tenon/mcp-server';
import { serveStdio } from '@tenon/mcp-server/stdio';
import { z } from 'zod';

const teas = [
  { name: 'Sencha', kind: 'green', price: 9 },
  { name: 'Assam', kind: 'black', price: 6 },
  { name: 'Gyokuro', kind: 'green', price: 21 },
] as const;

const server = createServer({ name: 'tea', version: '1.0.0' })
  .tool(
    'search',
    {
      description: 'Finds teas by kind and price.',
      input: z.object({
        kind: z.enum(['green', 'black']).describe('The kind of tea'),
        limit: z.number().int().min(1).default(10),
        maxPrice: z.number().optional(),
      }),
      output: z.object({ names: z.array(z.string()) }),
      annotations: { readOnlyHint: true },
    },
    ({ kind, limit, maxPrice = Number.MAX_VALUE }) => {
      const found = teas.filter((tea) => tea.kind === kind && tea.price <= maxPrice);
      return { names: found.slice(0, limit).map(({ name }) => name) };
    },
  )
  .tool(
    'order',
    { description: 'Orders a tea.', input: z.object({ name: z.string() }) },
    async ({ name }, ctx) => {
      const answer = await ctx.elicit('address', {
        message: `Where should we send ${name}?`,
        schema: z.object({ city: z.string().min(2), gift: z.boolean().default(false) }),
      });
      if (answer.action !== 'accept') return 'Nothing was ordered.';
      const { city, gift } = answer.content;
      return `${name} goes to ${city}${gift ? ' as a gift' : ''}.`;
    },
  )
  .resource('tea://guide', { name: 'guide', mimeType: 'text/plain' }, () => 'Green tea: 70 degrees.')
  .prompt(
    'advise',
    { description: 'Requests advice', args: z.object({ guest: z.string() }) },
    ({ guest }) => `Which tea fits ${guest}?`,
  );
await serveStdio(server);
