import type { Guard, GuardTarget, Principal } from '@tenon/mcp-protocol';
import { locatedNetworkOf } from '../admission/network.js';
import { RequestGuard } from '../admission/request-guard.js';
import { Traffic, trafficSettings } from '../admission/traffic.js';
import type { Application } from '../call/application.js';
import type { HttpOptions } from '../http-options.js';
import { requireHttpOptions } from '../http-options.js';
import { HttpService } from '../http-service.js';
import { FetchCall } from './fetch-call.js';

/** Facts about a request that the application knows already. */
export interface FetchGiven {
  /** The body, if it has been parsed. */
  readonly body?: unknown;
  /**
   * The principal, if the application authenticates callers itself: undefined for a caller who did not authenticate. Leave
   * the member out if the application does not authenticate callers.
   */
  readonly principal?: Principal | undefined;
  /** The address of the client, if the runtime reports it. */
  readonly remoteAddress?: string | undefined;
}

/** Handles the requests of a runtime with `Request` and `Response`. */
export interface FetchHandler extends GuardTarget {
  (request: Request): Promise<Response>;
  /** Handles a request with facts that the application knows already. */
  serve(request: Request, given: FetchGiven): Promise<Response>;
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
export function fetchHandler(application: Application, options: HttpOptions): FetchHandler {
  requireHttpOptions(options);
  const service = new HttpService(application, options);
  const requestGuard = new RequestGuard(options, service.onError, application.serverGuard);
  const traffic = new Traffic(trafficSettings(application, options));
  const serve = (request: Request, given: FetchGiven): Promise<Response> => {
    const { body, principal, remoteAddress } = given;
    const parsed = body === undefined ? undefined : { value: body };
    const call = new FetchCall(request, { traffic, parsed });
    if (remoteAddress !== undefined) call.remoteAddress = locatedNetworkOf(remoteAddress);
    requestGuard.admit(call, (found) => service.handle(call, principal ?? found), 'principal' in given);
    return call.response;
  };
  const handler = (request: Request) => serve(request, {});
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
  }) as FetchHandler;
}
