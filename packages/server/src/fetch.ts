import type { Contract } from '@tenon/mcp-protocol';
import { requireServer } from '@tenon/mcp-session/internal';
import { type FetchHandler, fetchHandler, type HttpOptions } from '@tenon/mcp-transport-http/server';
import type { Server } from './server.js';

export type {
  EventStore,
  Guard,
  Guardable,
  GuardedRequest,
  HttpRefusal,
  SessionRecord,
  SessionStore,
  StoredEvent,
  StreamKey,
} from '@tenon/mcp-protocol';
export {
  type Authenticate,
  type CorsOptions,
  defaultHttpLimits,
  type FetchGiven,
  type FetchHandler,
  type HttpLimits,
  type HttpOptions,
  type MemoryEventLimits,
  MemoryEventStore,
  MemorySessionStore,
  type SessionOptions,
} from '@tenon/mcp-transport-http/server';

/**
 * A handler for runtimes that speak `Request` and `Response`: Workers, Deno, Bun, Hono, Next.js. It answers every HTTP
 * revision at whatever path it is mounted.
 * @throws TypeError or RangeError for options that cannot work.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http
 */
export function toFetchHandler<C extends Contract>(
  server: Server<C>,
  options: HttpOptions = {},
): FetchHandler {
  requireServer('toFetchHandler', server);
  return fetchHandler(server, options);
}
