import { createServer } from '@tenon/mcp-server';
import { serveStdio } from '@tenon/mcp-server/stdio';

const server = createServer({ name: 'start', version: '1.0.0' }).tool(
  'plan',
  {
    description: 'Plans a stay',
    input: {
      type: 'object',
      properties: {
        city: { type: 'string', minLength: 1 },
        days: { type: 'integer', minimum: 1, maximum: 7 },
      },
      required: ['city', 'days'],
    },
  },
  ({ city, days }) => `${days} days in ${city}`,
);
await serveStdio(server);
