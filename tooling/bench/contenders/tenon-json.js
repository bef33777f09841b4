// Tenon, plain JSON Schema: like `tenon.js`, with validators compiled from JSON Schema.
import { jsonSchemas, offeredTools } from './base/offered-tools.js';
import { memoryCallerOf, serveHttpWith, serveStdioWith } from './tenon/server.js';

/** @param {import('./base/offered-tools.js').Served} served */
export function serveHttp(served) {
  return serveHttpWith(offeredTools(served.catalogue, jsonSchemas), served);
}

/** @param {import('./base/offered-tools.js').Served} served */
export function serveStdio({ catalogue }) {
  return serveStdioWith(offeredTools(catalogue, jsonSchemas));
}

/** @param {import('../matrix/wires.js').Lifecycle} lifecycle */
export function memoryCaller(lifecycle) {
  return memoryCallerOf(offeredTools('few', jsonSchemas), lifecycle);
}
