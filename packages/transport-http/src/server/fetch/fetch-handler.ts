import type { Guard, Guardable, Principal } from '@tenon/mcp-protocol';
import { Gate } from '../admission/gate.js';
import { toldNetworkOf } from '../admission/network.js';
import { Traffic, trafficSettings } from '../admission/traffic.js';
import type { Application } from '../endpoint/application.js';
import type { HttpOptions } from '../endpoint/http-options.js';
import { HttpService } from '../endpoint/http-service.js';
import { requireKnownOptions } from '../endpoint/known-options.js';
import { FetchCall } from './fetch-call.js';

/** What an application knows of a request already. */
export interface FetchGiven {
  /** The body, where it has been parsed. */
  readonly body?: unknown;
  /** Who is calling, where that has been established. */
  readonly principal?: Principal | undefined;
  /** Where it comes from, where the runtime tells. */
  readonly remoteAddress?: string | undefined;
}

/** Answers the requests of a runtime that speaks `Request` and `Response`. */
export interface FetchHandler extends Guardable {
  (request: Request): Promise<Response>;
  /** Answers a request of which something is known already. */
  serve(request: Request, given: FetchGiven): Promise<Response>;
  /** False once it drains. */
  readonly ready: boolean;
  /** Sessions open here. */
  readonly sessions: number;
  /** Takes no more requests, ends listen streams with their answer, and waits for what runs. */
  drain(): Promise<void>;
}

/**
 * Makes a handler of an application.
 * @throws TypeError or RangeError for options that cannot work.
 */
export function fetchHandler(application: Application, options: HttpOptions): FetchHandler {
  requireKnownOptions(options);
  const service = new HttpService(application, options);
  const gate = new Gate(options, service.onError, application.guarding);
  const traffic = new Traffic(trafficSettings(application, options));
  const serve = (request: Request, { body, principal, remoteAddress }: FetchGiven): Promise<Response> => {
    const parsed = body === undefined ? undefined : { value: body };
    const call = new FetchCall(request, { traffic, parsed });
    if (remoteAddress !== undefined) call.remoteAddress = toldNetworkOf(remoteAddress);
    gate.admit(call, (found) => service.handle(call, principal ?? found));
    return call.response;
  };
  const handler = (request: Request) => serve(request, {});
  const guard = (given: Guard) => {
    gate.guard(given);
    return handler;
  };
  return Object.defineProperties(Object.assign(handler, { serve, guard, drain: () => service.drain() }), {
    ready: { get: () => service.ready },
    sessions: { get: () => service.sessions },
  }) as FetchHandler;
}
