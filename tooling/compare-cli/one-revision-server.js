// A server over stdio that supports the revision of its argument only.
import process from 'node:process';
import { createServer } from '@tenon/mcp-server';
import { serveStdio } from '@tenon/mcp-server/stdio';

const [revision = ''] = process.argv.slice(2);
const server = createServer({ name: 'one-revision', version: '1.0.0' }, { revisions: [revision] }).tool(
  'hello',
  {},
  () => `hello from ${revision}`,
);
await serveStdio(server);
