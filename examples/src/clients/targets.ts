// Four kinds of targets: a child process, a URL, a server in this process, and a connection of your own.
import { fileURLToPath } from 'node:url';
import { connect, SessionError, textOf } from '@tenon/mcp-client';
import { connectMemory, memoryTarget } from '@tenon/mcp-client/memory';
import { createServer } from '@tenon/mcp-server';
import { serveHttp } from '@tenon/mcp-server/http';
import type { server as echo } from '../servers/transports.js';

const own = createServer({ name: 'own', version: '1.0.0' }).tool('echo', {}, () => 'from this process');
const serving = await serveHttp(own);
const { url } = serving;
const program = fileURLToPath(new URL('../servers/transports.js', import.meta.url));

// #region targets
const info = { name: 'my-agent', version: '1.0.0' };

// A program on this machine. It inherits few environment variables: name the others.
const child = await connect<typeof echo>(
  { command: process.execPath, args: [program], env: { GREETING: 'Hello' } },
  { info },
);
const { content } = await child.callTool('echo', { text: 'from a child' });

// A URL: any revision, and either HTTP transport.
const remote = await connect(url, { info, headers: { 'x-trace': '17' } });

// A server in this process.
const near = await connectMemory(own, { info });

// A connection of your own. `open` is called again when the connection is lost.
const custom = await connect({ open: () => memoryTarget(own).open(), restartable: true }, { info });
// #endregion

console.log(child.revision, child.server?.name, textOf(content));
for (const client of [remote, near, custom]) {
  console.log(client.server?.name, textOf((await client.callTool('echo', {})).content));
}

// #region narrowed
// Revisions that each end may speak.
const older = createServer({ name: 'older', version: '1.0.0' }, { revisions: ['2025-06-18'] });
await connectMemory(older, { info, revisions: ['2026-07-28', '2025-11-25'] }).catch((error: unknown) => {
  if (error instanceof SessionError) console.log(error.reason); // no-common-revision
});
// #endregion
await Promise.all([child.close(), remote.close(), near.close(), custom.close()]);
await serving.close();
