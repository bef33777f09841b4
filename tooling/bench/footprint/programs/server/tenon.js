import { createServer } from '@tenon/mcp-server';
import { toFetchHandler } from '@tenon/mcp-server/fetch';
import * as z from 'zod';

const input = z.object({ city: z.string().min(1), days: z.number().int().min(1).max(7) });
const server = createServer({ name: 'small', version: '1.0.0' }).tool(
  'plan',
  { description: 'Plans a stay', input },
  ({ city, days }) => `${days} days in ${city}`,
);
export const handle = toFetchHandler(server);
