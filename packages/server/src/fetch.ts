import { type Contract, serverPort } from '@tenon/mcp-protocol';
import { requireServer } from '@tenon/mcp-session/internal';
import { type FetchHandler, fetchHandler, type HttpOptions } from '@tenon/mcp-transport-http/server';
import type { Server } from './server.js';

export type {
  Guard,
  GuardedRequest,
  GuardTarget,
  HttpRefusal,
} from '@tenon/mcp-protocol';
export type {
  Authenticate,
  CorsOptions,
  FetchGiven,
  FetchHandler,
  HttpLimits,
  HttpOptions,
  SessionOptions,
} from '@tenon/mcp-transport-http/server';

/**
 * Returns a handler for runtimes with `Request` and `Response`: Workers, Deno, Bun, Hono, Next.js. It serves every HTTP
 * revision at any path.
 * @throws TypeError or RangeError if an option is invalid.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http
 */
export function toFetchHandler<C extends Contract>(
  server: Server<C>,
  options: HttpOptions = {},
): FetchHandler {
  requireServer('toFetchHandler', server);
  return fetchHandler(server[serverPort], options);
}
