import { createServer } from '@tenon/mcp-server';
import { serveStdio } from '@tenon/mcp-server/stdio';

const server = createServer({ name: 'start', version: '1.0.0' }).tool(
  'plan',
  { description: 'Plans a stay' },
  () => '3 days in Oslo',
);
await serveStdio(server);
