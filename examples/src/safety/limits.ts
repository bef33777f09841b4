// Limits and rates of a server, of its HTTP endpoint and of a client.
import { connect, textOf } from '@tenon/mcp-client';
import { createServer } from '@tenon/mcp-server';
import { serveHttp } from '@tenon/mcp-server/http';

const minute = 60_000;
const MiB = 2 ** 20;

const server = createServer(
  { name: 'reports', version: '1.0.0' },
  {
    limits: { handlerTime: 30 * minute, resultSize: 32 * MiB },
    rates: { calls: { perSecond: 50, burst: 500 } }, // of one caller
  },
).tool('report', { description: 'Writes the report of a year' }, () => 'A long report');

const serving = await serveHttp(server, { port: 0, limits: { bodyBytes: 16 * MiB, sessions: 50_000 } });

const client = await connect(serving.url, {
  info: { name: 'office', version: '1.0.0' },
  limits: { requestTimeout: 5 * minute, requestTotal: 30 * minute },
});
const { content } = await client.callTool('report', {}, { timeout: 20 * minute }); // for this call
console.log(textOf(content));
await client.close();
await serving.close();
