// Loads a bundled client that makes its first call to a server: `node run.js FILE`.
import { pathToFileURL } from 'node:url';
import { createServer } from '@tenon/mcp-server';
import { serveHttp } from '@tenon/mcp-server/http';

const input = /** @type {const} */ ({
  type: 'object',
  properties: { city: { type: 'string' }, days: { type: 'integer' } },
});
const server = createServer({ name: 'first', version: '1.0.0' }).tool(
  'plan',
  { description: 'Plans a stay', input },
  ({ city, days }) => `${days} days in ${city}`,
);
const { url } = await serveHttp(server, { port: 0 });
const { call } = await import(pathToFileURL(process.argv[2] ?? '').href);
const text = JSON.stringify(await call(url));
if (!text.includes('3 days in Oslo')) throw new Error(`wrong answer: ${text.slice(0, 300)}`);
process.exit();
