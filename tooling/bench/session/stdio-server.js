// A server process to be measured: `node stdio-server.js NAME`. Tells its CPU time over the IPC channel when asked.
import { serveFloor } from './floor.js';
import { officialServer, tenonServer } from './servers.js';

const [name] = process.argv.slice(2);

process.on('message', () => process.send?.(process.cpuUsage()));
process.channel?.unref();

if (name === 'floor' || name === 'floor-plain') serveFloor(name === 'floor');
else if (name === 'official') {
  const { serveStdio } = await import('@modelcontextprotocol/server/stdio');
  const server = await officialServer();
  serveStdio(() => server);
} else {
  const { serveStdio } = await import('@tenon/mcp-server/stdio');
  await serveStdio(await tenonServer(name === 'tenon-zod' ? 'zod' : 'json'));
}
