import {
  type Answer,
  decodeParams,
  ErrorCode,
  type Exchange,
  type InboundRequest,
  type RequestStamp,
  type Revision,
  type UnknownObject,
  type WireError,
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
  const { message, revision, exchange, host, ledger } = admission;
  const { id, method } = message;
  let handled: HandledRequest | undefined;
  try {
    const { bounds } = exchange;
    const work = behaviour.handling?.work;
    const working = ledger?.working ?? 0;
    const isBusy =
      bounds !== undefined && work !== undefined && work.size >= Math.min(bounds.perCaller, bounds.total);
    if (isBusy || working >= behaviour.limits.inFlight) {
      const text = overload(behaviour, exchange, working);
      if (text !== undefined)
        return turnedAway(behaviour, admission, { code: ErrorCode.overloaded, message: text });
    }
    const row = revision.requests[behaviour.side === 'server' ? 'client' : 'server'].get(method);
    const handler = behaviour.requests.get(method);
    if (row === undefined || handler === undefined) {
      const error = { code: ErrorCode.methodNotFound, message: `Method not found: ${method.slice(0, 128)}` };
      return turnedAway(behaviour, admission, error);
    }
    const decoded = decodeParams(row, message.params);
    if (!decoded.ok)
      return turnedAway(behaviour, admission, { code: ErrorCode.invalidParams, message: decoded.problem });
    const facts = { id, method, params: decoded.value, revision, from: admission.from };
    const request = new IncomingRequest(facts, exchange, host);
    behaviour.observer?.begun(request);
    handled = { behaviour, row, handler, request, batch: admission.batch };
    const result = behaviour.middleware.length === 0 ? handler.handle(request) : handleThrough(handled);
    return result instanceof Promise ? awaitHandler(handled, result, ledger) : succeed(handled, result);
  } catch (error) {
    if (handled !== undefined) return fail(handled, error);
    report(behaviour, error, method);
    return turnedAway(behaviour, admission, internalError);
  }
}

/** Returns the error answer to a request that reaches no handler. */
function turnedAway({ observer }: Behaviour, admission: Admission, error: WireError): string {
  observer?.refused(admission, error);
  return refusal(admission.exchange, admission.message.id, error);
}

/** Returns the reason for which no handler may start now; undefined if one may. */
function overload({ limits, handling }: Behaviour, exchange: Exchange, working: number): string | undefined {
  if (working < limits.inFlight) return handling?.work.refusal(exchange, working);
  return `${working} requests are still worked on, those that were cancelled or stopped included. Try again later.`;
}

function handleThrough({
  behaviour,
  handler,
  request,
}: HandledRequest): UnknownObject | Promise<UnknownObject> {
  const { method, params, revision } = request;
  const round = behaviour.roundOf?.bind(undefined, request);
  const carried = async () => {
    request.carried ??= (await behaviour.carriedBy?.(request)) ?? {};
    return request.carried;
  };
  const seen = { direction: 'inbound', method, params, revision, request, carried } as const;
  const call = round === undefined ? seen : { ...seen, round };
  return runThrough(behaviour.middleware, call, (changed) => {
    request.params = changed;
    return handler.handle(request);
  });
}
