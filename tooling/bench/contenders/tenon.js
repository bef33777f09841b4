// Tenon, zod: one server definition for all peers, served by `serveHttp`, `serveStdio` and `serveMemory`, with Host and
// Origin checks and every limiter in place; only their numbers are raised, so that none refuses what the bench sends.
export { httpClient, stdioClient } from './tenon-clients.js';

import { offeredZodTools } from './offered-tools.js';
import { memoryCallerOf, serveHttpWith, serveStdioWith } from './tenon-server.js';

/** @param {import('./offered-tools.js').Served} served */
export async function serveHttp(served) {
  return serveHttpWith(await offeredZodTools(served.catalogue), served);
}

/** @param {import('./offered-tools.js').Served} served */
export async function serveStdio(served) {
  await serveStdioWith(await offeredZodTools(served.catalogue));
}

/** @param {import('../matrix/wires.js').Lifecycle} lifecycle */
export async function memoryCaller(lifecycle) {
  return memoryCallerOf(await offeredZodTools('few'), lifecycle);
}
