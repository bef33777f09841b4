import { type Contract, serverPort } from '@tenon/mcp-protocol';
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
export interface ServeHttpOptions extends HttpOptions, ListenOptions {
  /**
   * True to end well at SIGTERM, SIGINT and SIGHUP: the port drains, the server closes, and the process ends with that signal; a second
   * signal ends it at once. Default: false, for a process with other work.
   */
  readonly handleSignals?: boolean;
}

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
  const { handleSignals = false, ...rest } = options;
  if (typeof handleSignals !== 'boolean')
    throw new TypeError('serveHttp: handleSignals must be true or false.');
  const hook = development();
  const listening =
    hook === undefined ? listenHttp(server[serverPort], rest) : listenInDevelopment(server, rest, hook);
  return handleSignals ? endingWell(server, listening) : listening;
}

/** Has the process end after the server, when a signal requests it. */
async function endingWell<C extends Contract>(
  server: Server<C>,
  listening: Promise<HttpServing>,
): Promise<HttpServing> {
  const serving = await listening;
  const { onTermination } = await import('@tenon/mcp-transport-stdio/server');
  const dispose = onTermination(async () => {
    await serving.close();
    await server.close();
  });
  return {
    url: serving.url,
    drain: () => serving.drain(),
    close: () => serving.close().finally(dispose),
  };
}

async function listenInDevelopment<C extends Contract>(
  server: Server<C>,
  options: ServeHttpOptions,
  hook: Development,
): Promise<HttpServing> {
  const serving = await listenHttp(server[serverPort], hook.listening(options));
  const url = hook.listens(server, serving);
  return { url, drain: () => serving.drain(), close: () => serving.close() };
}

/**
 * Returns a handler for a `node:http` server, or a framework on top of one, at any path.
 * @throws TypeError or RangeError if an option is invalid.
 */
export function toNodeHandler<C extends Contract>(server: Server<C>, options: HttpOptions = {}): NodeHandler {
  requireServer('toNodeHandler', server);
  return nodeHandler(server[serverPort], options);
}
