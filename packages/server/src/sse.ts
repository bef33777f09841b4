import type { Contract, Guard } from '@tenon/mcp-protocol';
import { requireServer } from '@tenon/mcp-session/internal';
import { NodeCall, type NodeHandler } from '@tenon/mcp-transport-http/node';
import type { GateOptions, SideMount, TrafficLimits } from '@tenon/mcp-transport-http/server';
import { Gate, Traffic, trafficSettings } from '@tenon/mcp-transport-http/server/internal';
import { type SseLimits, SseMount, type SseOptions } from '@tenon/mcp-transport-sse/server';
import type { Server } from './server.js';

export type { Guard, Guardable, GuardedRequest, HttpRefusal } from '@tenon/mcp-protocol';
export type { NodeGiven, NodeHandler } from '@tenon/mcp-transport-http/node';
export type {
  Authenticate,
  CorsOptions,
  GateOptions,
  SideMount,
} from '@tenon/mcp-transport-http/server';
export type { SseLimits, SseOptions } from '@tenon/mcp-transport-sse/server';

/** How the HTTP+SSE transport is served where nothing in front of it checks who may call. */
export interface SseHandlerOptions extends Omit<SseOptions, 'limits'>, GateOptions {
  readonly limits?: Partial<SseLimits & TrafficLimits> | undefined;
  /** Milliseconds that a client may leave unread what was sent to it. Default 60,000; see `limits.readRate`. */
  readonly writeTimeout?: number | undefined;
}

/**
 * The HTTP+SSE transport of the first revision, to be served beside the endpoint of the later ones for clients that
 * know no other: `serveHttp(server, { mounts: [sseMount(server)] })`. It answers GET /sse and POST /messages.
 * @throws TypeError or RangeError for options that cannot work.
 * @see https://modelcontextprotocol.io/specification/2024-11-05/basic/transports#http-with-sse
 */
export function sseMount<C extends Contract>(server: Server<C>, options: SseOptions = {}): SideMount {
  requireServer('sseMount', server);
  return new SseMount(server, options);
}

/**
 * The same two endpoints as a handler for a `node:http` server, or a framework on top of one: hand it the requests for
 * either path, with the path as the client wrote it.
 * @throws TypeError or RangeError for options that cannot work.
 */
export function sseNodeHandler<C extends Contract>(
  server: Server<C>,
  options: SseHandlerOptions = {},
): NodeHandler {
  requireServer('sseNodeHandler', server);
  const mount = new SseMount(server, options);
  const gate = new Gate(options, mount.onError, server.guarding);
  const traffic = new Traffic(trafficSettings(server, options));
  const serve: NodeHandler['serve'] = (request, response, { body, principal }) => {
    const parsed = body === undefined ? undefined : { value: body };
    const call = new NodeCall(request, response, { traffic, parsed });
    if (response.socket === null && call.refusesPipelining()) return;
    gate.admit(call, (found) => mount.handle(call, principal ?? found));
  };
  const handler = (...[request, response]: Parameters<NodeHandler>): void => serve(request, response, {});
  const guard = (given: Guard) => {
    gate.guard(given);
    return handler;
  };
  return Object.defineProperties(Object.assign(handler, { serve, guard, drain: () => mount.drain() }), {
    ready: { get: () => mount.ready },
    sessions: { get: () => mount.sessions },
  }) as NodeHandler;
}
