import type { Contract } from '@tenon/mcp-protocol';
import { requireServer } from '@tenon/mcp-session/internal';
import {
  type HttpServing,
  type ListenOptions,
  listenHttp,
  type NodeHandler,
  nodeHandler,
} from '@tenon/mcp-transport-http/node';
import type { HttpOptions } from '@tenon/mcp-transport-http/server';
import { type Development, development } from './core/development.js';
import type { Server } from './server.js';

export type {
  Guard,
  GuardedRequest,
  GuardTarget,
  HttpRefusal,
} from '@tenon/mcp-protocol';
export {
  type HttpServing,
  type NodeGiven,
  type NodeHandler,
  type NodePage,
  type NodePageOptions,
  type PageHandler,
  type SidePages,
  toNodePage,
} from '@tenon/mcp-transport-http/node';
export type {
  Authenticate,
  CorsOptions,
  HttpLimits,
  HttpOptions,
  SessionOptions,
  SideMount,
} from '@tenon/mcp-transport-http/server';

/** Options of an HTTP server on its own port. */
export interface ServeHttpOptions extends HttpOptions, ListenOptions {}

/**
 * Serves every HTTP revision on one URL, by default at 127.0.0.1. Resolves when it listens; prints nothing.
 * @throws TypeError or RangeError if an option is invalid; rejects if it cannot listen.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http
 */
export function serveHttp<C extends Contract>(
  server: Server<C>,
  options: ServeHttpOptions = {},
): Promise<HttpServing> {
  requireServer('serveHttp', server);
  const hook = development();
  return hook === undefined ? listenHttp(server, options) : listenInDevelopment(server, options, hook);
}

async function listenInDevelopment<C extends Contract>(
  server: Server<C>,
  options: ServeHttpOptions,
  hook: Development,
): Promise<HttpServing> {
  const serving = await listenHttp(server, hook.listening(options));
  const url = hook.listens(server, serving);
  return { url, drain: () => serving.drain(), close: () => serving.close() };
}

/**
 * Returns a handler for a `node:http` server, or a framework on top of one, at any path.
 * @throws TypeError or RangeError if an option is invalid.
 */
export function toNodeHandler<C extends Contract>(server: Server<C>, options: HttpOptions = {}): NodeHandler {
  requireServer('toNodeHandler', server);
  return nodeHandler(server, options);
}
