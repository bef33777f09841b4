import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

// The adapter that both generations of the official SDK bring along, and the fastest of those that can be had here.
const { resolve } = createRequire(import.meta.resolve('@modelcontextprotocol/node'));
const { getRequestListener } = await import(pathToFileURL(resolve('@hono/node-server')).href);

/**
 * The `node:http` handler of a framework that speaks the fetch API, by the Node adapter of Hono.
 *
 * @param {(request: Request) => Promise<Response>} fetch
 * @returns {import('./listening.js').Handler}
 */
export function nodeHandlerOf(fetch) {
  return getRequestListener(fetch);
}
