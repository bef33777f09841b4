import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Principal } from '@tenon/mcp-protocol';
import type { Application } from '../server/application.js';
import { Gate } from '../server/gate.js';
import { HttpService, type ServiceOptions } from '../server/http-service.js';
import { NodeCall } from './node-call.js';

/** What an application knows of a request already. */
export interface NodeGiven {
  /** The body, where it has been parsed. */
  readonly body?: unknown;
  /** Who is calling, where that has been established. */
  readonly principal?: Principal;
}

/** Answers the requests of a `node:http` server, or of a framework on top of one. */
export interface NodeHandler {
  (request: IncomingMessage, response: ServerResponse, given?: NodeGiven): void;
  /** Takes no more requests, ends listen streams with their answer, and waits for what runs. */
  drain(): Promise<void>;
}

/**
 * Makes a handler of an application.
 * @throws TypeError or RangeError for options that cannot work.
 */
export function nodeHandler(application: Application, options: ServiceOptions): NodeHandler {
  const gate = new Gate(options, options.onError);
  const service = new HttpService(application, options);
  const handle = (request: IncomingMessage, response: ServerResponse, given: NodeGiven = {}): void => {
    const { body } = given;
    const call = new NodeCall(request, response, body === undefined ? undefined : { value: body });
    gate.admit(call, (principal) => service.handle(call, given.principal ?? principal));
  };
  return Object.assign(handle, { drain: () => service.drain() });
}
