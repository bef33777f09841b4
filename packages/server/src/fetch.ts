import type { Contract } from '@tenon/mcp-protocol';
import { systemClock } from '@tenon/mcp-session';
import { type FetchHandler, fetchHandler, type HttpOptions } from '@tenon/mcp-transport-http/server';
import { consoleReporter } from './console-reporter.js';
import type { Server } from './server.js';

export type { EventStore, SessionRecord, SessionStore } from '@tenon/mcp-protocol';
export {
  type Authenticate,
  defaultHttpLimits,
  type FetchGiven,
  type FetchHandler,
  type HttpLimits,
  type HttpOptions,
  MemoryEventStore,
  MemorySessionStore,
  type Refusal,
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
  const { clock = systemClock, onError = consoleReporter(clock) } = options;
  return fetchHandler(server, { ...options, clock, onError });
}
