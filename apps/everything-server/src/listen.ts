import type { Server } from '@tenon/mcp-server';
import { serveHttp } from '@tenon/mcp-server/http';
import { sseMount } from '@tenon/mcp-server/sse';
import type { Listening } from './command-line.js';

/** Serves over HTTP until SIGTERM or SIGINT, and says where. */
export async function listen(server: Server, { port, sse }: Listening): Promise<void> {
  const mount = sse ? sseMount(server) : undefined;
  const serving = await serveHttp(server, { port, path: '/mcp', mounts: mount === undefined ? [] : [mount] });
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    // A second signal ends the process at once.
    process.once(signal, () => void serving.close());
  }
  const { url } = serving;
  const addresses = mount === undefined ? { url } : { url, sse: new URL(mount.paths[0] ?? '', url).href };
  process.stdout.write(`${JSON.stringify(addresses)}\n`);
}
