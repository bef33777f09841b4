import {
  type Answer,
  decodeParams,
  ErrorCode,
  type Exchange,
  type InboundRequest,
  type RequestStamp,
  type Revision,
  type UnknownObject,
} from '@tenon/mcp-protocol';
import { report } from '../callbacks.js';
import type { Behaviour } from '../requests/behaviour.js';
import { IncomingRequest, type RequestHost } from '../requests/incoming-request.js';
import { runThrough } from '../requests/middleware.js';
import { fail, type HandledRequest, refusal, succeed } from './answering.js';
import { awaitHandler, type Ledger } from './awaited-handler.js';
import type { BatchPlace } from './batch.js';
import { internalError } from './thrown.js';

/** A request with a known revision and sender. */
export interface Admission {
  readonly message: InboundRequest;
  readonly revision: Revision;
  readonly from: RequestStamp;
  readonly exchange: Exchange;
  readonly host: RequestHost;
  readonly ledger: Ledger | undefined;
  /** The batch that the request came in. */
  readonly batch?: BatchPlace | undefined;
}

/**
 * Runs one request through codec, middleware and handler, and returns the text of its response.
 * @returns undefined if no answer is expected any more.
 */
export function dispatch(behaviour: Behaviour, admission: Admission): Answer {
  try {
    return handleMessage(behaviour, admission);
  } catch (error) {
    const { id, method } = admission.message;
    report(behaviour, error, method);
    return refusal(admission.exchange, id, internalError);
  }
}

function handleMessage(behaviour: Behaviour, admission: Admission): Answer {
  const { message, revision, exchange } = admission;
  const { bounds } = exchange;
  const work = behaviour.handling?.work;
  if (bounds !== undefined && work !== undefined && work.size >= Math.min(bounds.perCaller, bounds.total)) {
    const text = work.refusal(exchange, admission.ledger?.working ?? 0);
    if (text !== undefined)
      return refusal(exchange, message.id, { code: ErrorCode.overloaded, message: text });
  }
  const row = revision.requests[behaviour.side === 'server' ? 'client' : 'server'].get(message.method);
  const handler = behaviour.requests.get(message.method);
  if (row === undefined || handler === undefined) {
    const name = message.method.slice(0, 128);
    const error = { code: ErrorCode.methodNotFound, message: `Method not found: ${name}` };
    return refusal(exchange, message.id, error);
  }
  const decoded = decodeParams(row, message.params);
  if (!decoded.ok) {
    const error = { code: ErrorCode.invalidParams, message: decoded.problem };
    return refusal(exchange, message.id, error);
  }
  const { id, method } = message;
  const facts = { id, method, params: decoded.value, revision, from: admission.from };
  const request = new IncomingRequest(facts, exchange, admission.host);
  const handled: HandledRequest = { behaviour, row, handler, request, batch: admission.batch };
  try {
    const result = handle(handled);
    return result instanceof Promise
      ? awaitHandler(handled, result, admission.ledger)
      : succeed(handled, result);
  } catch (error) {
    return fail(handled, error);
  }
}

function handle({ behaviour, handler, request }: HandledRequest): UnknownObject | Promise<UnknownObject> {
  const { middleware } = behaviour;
  if (middleware.length === 0) return handler.handle(request);
  const { method, params, revision } = request;
  const round = behaviour.roundOf?.bind(undefined, request);
  const call = { direction: 'inbound', method, params, revision, request, ...(round && { round }) } as const;
  return runThrough(middleware, call, (changed) => {
    if (changed !== params) replaced.set(request, params);
    request.params = changed;
    return handler.handle(request);
  });
}

// Beside the requests, not in them: most middleware does not replace params.
const replaced = new WeakMap<IncomingRequest, UnknownObject>();

/** Returns the params of a request as they were before middleware replaced them. */
export function paramsBeforeMiddleware(request: IncomingRequest): UnknownObject {
  return replaced.get(request) ?? request.params;
}
