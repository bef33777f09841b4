import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

// The adapter that both generations of the official SDK depend on, and the fastest available here.
const { resolve } = createRequire(import.meta.resolve('@modelcontextprotocol/node'));
const { getRequestListener } = await import(pathToFileURL(resolve('@hono/node-server')).href);

/**
 * Returns the `node:http` handler of a framework with the fetch API, through Hono's Node adapter.
 *
 * @param {(request: Request) => Promise<Response>} fetch
 * @returns {import('./listening.js').Handler}
 */
export function nodeHandlerOf(fetch) {
  return getRequestListener(fetch);
}
