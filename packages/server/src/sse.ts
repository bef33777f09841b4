import { type Contract, type Guard, serverPort } from '@tenon/mcp-protocol';
import { requireServer } from '@tenon/mcp-session/internal';
import { NodeCall, type NodeHandler } from '@tenon/mcp-transport-http/node';
import type { RequestGuardOptions, SideMount, TrafficLimits } from '@tenon/mcp-transport-http/server';
import { RequestGuard, Traffic, trafficSettings } from '@tenon/mcp-transport-http/server/internal';
import { type SseLimits, SseMount, type SseOptions } from '@tenon/mcp-transport-sse/server';
import type { Server } from './server.js';

export type { Guard, GuardedRequest, GuardTarget, HttpRefusal } from '@tenon/mcp-protocol';
export type { NodeGiven, NodeHandler } from '@tenon/mcp-transport-http/node';
export type {
  Authenticate,
  CorsOptions,
  RequestGuardOptions,
  SideMount,
} from '@tenon/mcp-transport-http/server';
export type { SseLimits, SseOptions } from '@tenon/mcp-transport-sse/server';

/** Options of the HTTP+SSE transport without authentication in front of it. */
export interface SseHandlerOptions extends Omit<SseOptions, 'limits'>, RequestGuardOptions {
  readonly limits?: Partial<SseLimits & TrafficLimits> | undefined;
  /** Milliseconds for which a client may leave messages unread. Default: 60,000, and more for long ones. */
  readonly writeTimeout?: number | undefined;
}

/**
 * Returns the HTTP+SSE transport of the first revision as a mount, beside the endpoint of the later ones, for clients
 * without a later one: `serveHttp(server, { mounts: [sseMount(server)] })`. It serves GET /sse and POST /messages.
 * @throws TypeError or RangeError if an option is invalid.
 * @see https://modelcontextprotocol.io/specification/2024-11-05/basic/transports#http-with-sse
 */
export function sseMount<C extends Contract>(server: Server<C>, options: SseOptions = {}): SideMount {
  requireServer('sseMount', server);
  return new SseMount(server[serverPort], options);
}

/**
 * Returns the same two endpoints as a handler for a `node:http` server, or a framework on top of one: pass it the requests for
 * either path, with the unchanged path of the client.
 * @throws TypeError or RangeError if an option is invalid.
 */
export function sseNodeHandler<C extends Contract>(
  server: Server<C>,
  options: SseHandlerOptions = {},
): NodeHandler {
  requireServer('sseNodeHandler', server);
  const application = server[serverPort];
  const mount = new SseMount(application, options);
  const requestGuard = new RequestGuard(options, mount.onError, application.serverGuard);
  const traffic = new Traffic(trafficSettings(application, options));
  const serve: NodeHandler['serve'] = (request, response, given) => {
    const { body, principal } = given;
    const parsed = body === undefined ? undefined : { value: body };
    const call = new NodeCall(request, response, { traffic, parsed });
    if (response.socket === null && call.refusesPipelining()) return;
    requestGuard.admit(call, (found) => mount.handle(call, principal ?? found), 'principal' in given);
  };
  const handler = (...[request, response]: Parameters<NodeHandler>): void => serve(request, response, {});
  const drain = () => {
    requestGuard.close();
    return mount.drain();
  };
  const guard = (given: Guard) => {
    requestGuard.guard(given);
    return handler;
  };
  return Object.defineProperties(Object.assign(handler, { serve, guard, drain }), {
    ready: { get: () => mount.ready },
    sessions: { get: () => mount.sessions },
  }) as NodeHandler;
}
