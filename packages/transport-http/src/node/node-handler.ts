import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Guard, Guardable, Principal } from '@tenon/mcp-protocol';
import { Gate } from '../server/admission/gate.js';
import { Traffic, trafficSettings } from '../server/admission/traffic.js';
import type { Application } from '../server/endpoint/application.js';
import type { HttpOptions } from '../server/endpoint/http-options.js';
import { HttpService } from '../server/endpoint/http-service.js';
import { requireKnownOptions } from '../server/endpoint/known-options.js';
import { NodeCall } from './node-call.js';

/** What an application knows of a request already. */
export interface NodeGiven {
  /** The body, where it has been parsed. */
  readonly body?: unknown;
  /** Who is calling, where that has been established. */
  readonly principal?: Principal | undefined;
}

/** Answers the requests of a `node:http` server, or of a framework on top of one. */
export interface NodeHandler extends Guardable {
  (request: IncomingMessage, response: ServerResponse): void;
  /** Answers a request of which something is known already. */
  serve(request: IncomingMessage, response: ServerResponse, given: NodeGiven): void;
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
export function nodeHandler(application: Application, options: HttpOptions): NodeHandler {
  requireKnownOptions(options);
  const service = new HttpService(application, options);
  const gate = new Gate(options, service.onError, application.guarding);
  const traffic = new Traffic(trafficSettings(application, options));
  const serve = (
    request: IncomingMessage,
    response: ServerResponse,
    { body, principal }: NodeGiven,
  ): void => {
    const parsed = body === undefined ? undefined : { value: body };
    const call = new NodeCall(request, response, { traffic, parsed });
    if (response.socket === null && call.refusesPipelining()) return;
    gate.admit(call, (found) => service.handle(call, principal ?? found));
  };
  const handler = (request: IncomingMessage, response: ServerResponse) => serve(request, response, {});
  const guard = (given: Guard) => {
    gate.guard(given);
    return handler;
  };
  return Object.defineProperties(Object.assign(handler, { serve, guard, drain: () => service.drain() }), {
    ready: { get: () => service.ready },
    sessions: { get: () => service.sessions },
  }) as NodeHandler;
}
