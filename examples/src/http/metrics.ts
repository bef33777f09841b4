import { createServer } from '@tenon/mcp-server';
import { serveHttp } from '@tenon/mcp-server/http';
import { serveMetrics } from '@tenon/mcp-server/metrics';

const server = createServer({ name: 'shop', version: '1.0.0' }).tool(
  'price',
  { description: 'Returns a price' },
  () => '3.20',
);
const { PORT = 3000, METRICS_PORT = 9464 } = process.env;
export const serving = await serveHttp(server, { port: Number(PORT), handleSignals: true });
export const metrics = await serveMetrics(server, { port: Number(METRICS_PORT) });
