import type { Principal } from '@tenon/mcp-protocol';
import type { Application } from './application.js';
import { FetchCall } from './fetch-call.js';
import { Gate } from './gate.js';
import { HttpService, type ServiceOptions } from './http-service.js';

/** What an application knows of a request already. */
export interface FetchGiven {
  /** The body, where it has been parsed. */
  readonly body?: unknown;
  /** Who is calling, where that has been established. */
  readonly principal?: Principal;
}

/** Answers the requests of a runtime that speaks `Request` and `Response`. */
export interface FetchHandler {
  (request: Request, given?: FetchGiven): Promise<Response>;
  /** Takes no more requests, ends listen streams with their answer, and waits for what runs. */
  drain(): Promise<void>;
}

/**
 * Makes a handler of an application.
 * @throws TypeError or RangeError for options that cannot work.
 */
export function fetchHandler(application: Application, options: ServiceOptions): FetchHandler {
  const gate = new Gate(options, options.onError);
  const service = new HttpService(application, options);
  const handle = (request: Request, given: FetchGiven = {}): Promise<Response> => {
    const call = new FetchCall(request, 'body' in given ? { value: given.body } : undefined);
    gate.admit(call, (principal) => service.handle(call, given.principal ?? principal));
    return call.response;
  };
  return Object.assign(handle, { drain: () => service.drain() });
}
