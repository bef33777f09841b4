import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Guard, GuardTarget, Principal } from '@tenon/mcp-protocol';
import { RequestGuard } from '../server/admission/request-guard.js';
import { Traffic, trafficSettings } from '../server/admission/traffic.js';
import type { Application } from '../server/call/application.js';
import type { HttpOptions } from '../server/http-options.js';
import { requireHttpOptions } from '../server/http-options.js';
import { HttpService } from '../server/http-service.js';
import { NodeCall } from './node-call.js';

/** Facts about a request that the application knows already. */
export interface NodeGiven {
  /** The body, if it has been parsed. */
  readonly body?: unknown;
  /**
   * The principal, if the application authenticates callers itself: undefined for a caller who did not authenticate. Leave
   * the member out if the application does not authenticate callers.
   */
  readonly principal?: Principal | undefined;
}

/** Handles the requests of a `node:http` server, or of a framework on top of one. */
export interface NodeHandler extends GuardTarget {
  (request: IncomingMessage, response: ServerResponse): void;
  /** Handles a request with facts that the application knows already. */
  serve(request: IncomingMessage, response: ServerResponse, given: NodeGiven): void;
  /** False while draining and afterwards, and while shared state cannot be reached. */
  readonly ready: boolean;
  /** Number of sessions open in this handler. */
  readonly sessions: number;
  /** Stops accepting requests, ends listen streams with their answer, and resolves when the running requests have finished. */
  drain(): Promise<void>;
}

/**
 * Makes a handler of an application.
 * @throws TypeError or RangeError if an option is invalid.
 */
export function nodeHandler(application: Application, options: HttpOptions): NodeHandler {
  requireHttpOptions(options);
  const service = new HttpService(application, options);
  const requestGuard = new RequestGuard(options, service.onError, application.serverGuard);
  const traffic = new Traffic(trafficSettings(application, options));
  const serve = (request: IncomingMessage, response: ServerResponse, given: NodeGiven): void => {
    const { body, principal } = given;
    const parsed = body === undefined ? undefined : { value: body };
    const call = new NodeCall(request, response, { traffic, parsed });
    if (response.socket === null && call.refusesPipelining()) return;
    requestGuard.admit(call, (found) => service.handle(call, principal ?? found), 'principal' in given);
  };
  const handler = (request: IncomingMessage, response: ServerResponse) => serve(request, response, {});
  const drain = () => {
    requestGuard.close();
    return service.drain();
  };
  const guard = (given: Guard) => {
    requestGuard.guard(given);
    return handler;
  };
  return Object.defineProperties(Object.assign(handler, { serve, guard, drain }), {
    ready: { get: () => service.ready && service.hasState },
    sessions: { get: () => service.sessions },
  }) as NodeHandler;
}
