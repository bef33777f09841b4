// Tenon, zod: one server definition, served by `serveHttp`, `serveStdio` and `serveMemory`, with Host and Origin checks and
// all limits. Some limits are raised so that they do not reject requests of the bench.
export { httpClient, stdioClient } from './tenon/clients.js';

import { offeredZodTools } from './base/offered-tools.js';
import { memoryCallerOf, serveHttpWith, serveStdioWith } from './tenon/server.js';

/** @param {import('./base/offered-tools.js').Served} served */
export async function serveHttp(served) {
  return serveHttpWith(await offeredZodTools(served.catalogue), served);
}

/** @param {import('./base/offered-tools.js').Served} served */
export async function serveStdio(served) {
  await serveStdioWith(await offeredZodTools(served.catalogue));
}

/** @param {import('../matrix/wires.js').Lifecycle} lifecycle */
export async function memoryCaller(lifecycle) {
  return memoryCallerOf(await offeredZodTools('few'), lifecycle);
}
