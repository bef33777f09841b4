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
  type HttpServing,
  type NodeGiven,
  type NodeHandler,
  type NodePage,
  type NodePageOptions,
  type PageHandler,
  type SidePages,
  toNodePage,
} from '@tenon/mcp-transport-http/node';
export {
  type Authenticate,
  type CorsOptions,
  defaultHttpLimits,
  type HttpLimits,
  type HttpOptions,
  type MemoryEventLimits,
  MemoryEventStore,
  MemorySessionStore,
  type SessionOptions,
  type SideMount,
} from '@tenon/mcp-transport-http/server';

/** How a server is served over HTTP on a port of its own. */
export interface ServeHttpOptions extends HttpOptions, ListenOptions {}

/**
 * Serves every HTTP revision on one URL, at 127.0.0.1 unless told otherwise. Resolves once it listens; prints nothing.
 * @throws TypeError or RangeError for options that cannot work; rejects when it cannot listen there.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http
 */
export function serveHttp<C extends Contract>(
  server: Server<C>,
  options: ServeHttpOptions = {},
): Promise<HttpServing> {
  requireServer('serveHttp', server);
  return listenHttp(server, options);
}

/**
 * A handler for a `node:http` server, or a framework on top of one, at whatever path it is mounted.
 * @throws TypeError or RangeError for options that cannot work.
 */
export function toNodeHandler<C extends Contract>(server: Server<C>, options: HttpOptions = {}): NodeHandler {
  requireServer('toNodeHandler', server);
  return nodeHandler(server, options);
}
