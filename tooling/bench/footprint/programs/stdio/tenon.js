import { createServer } from '@tenon/mcp-server';
import { serveStdio } from '@tenon/mcp-server/stdio';
import { z } from 'zod';

const input = z.object({ city: z.string().min(1), days: z.number().int().min(1).max(7) });
const server = createServer({ name: 'start', version: '1.0.0' }).tool(
  'plan',
  { description: 'Plans a stay', input },
  ({ city, days }) => `${days} days in ${city}`,
);
await serveStdio(server);
