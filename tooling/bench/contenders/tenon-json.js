// Tenon, plain JSON Schema: as in `tenon.js`, with the arguments checked by validators compiled from the JSON Schema.
import { jsonSchemas, offeredTools } from './offered-tools.js';
import { memoryCallerOf, serveHttpWith, serveStdioWith } from './tenon-server.js';

/** @param {import('./offered-tools.js').Served} served */
export function serveHttp(served) {
  return serveHttpWith(offeredTools(served.catalogue, jsonSchemas), served);
}

/** @param {import('./offered-tools.js').Served} served */
export function serveStdio({ catalogue }) {
  return serveStdioWith(offeredTools(catalogue, jsonSchemas));
}

/** @param {import('../matrix/wires.js').Lifecycle} lifecycle */
export function memoryCaller(lifecycle) {
  return memoryCallerOf(offeredTools('few', jsonSchemas), lifecycle);
}
