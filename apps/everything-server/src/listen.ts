import { serveHttp } from '@tenon/mcp-server/http';
import { sseMount } from '@tenon/mcp-server/sse';
import type { Listening } from './command-line.js';
import { createEverythingServer, type EverythingOptions } from './everything.js';

/** Serves over HTTP until SIGTERM or SIGINT, and prints the address. */
export async function listen(options: EverythingOptions, { port, sse, redis }: Listening): Promise<void> {
  const state = redis === undefined ? undefined : await stateIn(redis);
  const server = createEverythingServer({ ...options, ...(state !== undefined && { state }) });
  const mount = sse ? sseMount(server) : undefined;
  const serving = await serveHttp(server, { port, path: '/mcp', mounts: mount === undefined ? [] : [mount] });
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    // A second signal ends the process at once.
    process.once(signal, () => void serving.close().then(() => state?.close()));
  }
  const { url } = serving;
  const addresses = mount === undefined ? { url } : { url, sse: new URL(mount.paths[0] ?? '', url).href };
  process.stdout.write(`${JSON.stringify(addresses)}\n`);
}

/** The client of Redis is hundreds of files, so only servers with Redis load it. */
async function stateIn(url: string) {
  const { redisState } = await import('@tenon/mcp-state-redis');
  return redisState({ url });
}
