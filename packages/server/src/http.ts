import process from 'node:process';
import type { Contract } from '@tenon/mcp-protocol';
import { systemClock } from '@tenon/mcp-session';
import {
  type HttpServing,
  type ListenOptions,
  listen,
  type NodeHandler,
  nodeHandler,
} from '@tenon/mcp-transport-http/node';
import type { HttpOptions, ServiceOptions } from '@tenon/mcp-transport-http/server';
import { surviveSuspensions } from './asking/unhandled.js';
import { consoleReporter } from './console-reporter.js';
import type { Server } from './server.js';

export type { EventStore, SessionRecord, SessionStore } from '@tenon/mcp-protocol';
export type { HttpServing, NodeGiven, NodeHandler } from '@tenon/mcp-transport-http/node';
export {
  type Authenticate,
  defaultHttpLimits,
  type HttpLimits,
  type HttpOptions,
  MemoryEventStore,
  MemorySessionStore,
  type Refusal,
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
  surviveSuspensions(process);
  return listen(server, { ...options, ...defaults(options) });
}

/**
 * A handler for a `node:http` server, or a framework on top of one, at whatever path it is mounted.
 * @throws TypeError or RangeError for options that cannot work.
 */
export function toNodeHandler<C extends Contract>(server: Server<C>, options: HttpOptions = {}): NodeHandler {
  surviveSuspensions(process);
  return nodeHandler(server, { ...options, ...defaults(options) });
}

function defaults({ clock = systemClock, onError }: HttpOptions): Pick<ServiceOptions, 'clock' | 'onError'> {
  return { clock, onError: onError ?? consoleReporter(clock) };
}
