import {
  type Answer,
  decodeParams,
  ErrorCode,
  type Exchange,
  encodeResult,
  errorFrame,
  type InboundRequest,
  isObject,
  type RequestId,
  type RequestRow,
  type RequestStamp,
  type Revision,
  resultFrame,
  type UnknownObject,
  type WireError,
} from '@tenon/mcp-protocol';
import type { Behaviour, RequestHandler } from './behaviour.js';
import { report } from './callbacks.js';
import { IncomingRequest, type RequestHost } from './incoming-request.js';
import { runThrough } from './middleware.js';
import { internalError, toWireError } from './thrown.js';

/** A request ready to be handled: its revision is known, and who sent it. */
export interface Admission {
  readonly message: InboundRequest;
  readonly revision: Revision;
  readonly from: RequestStamp;
  readonly exchange: Exchange;
  readonly host: RequestHost;
  readonly ledger: Ledger | undefined;
}

/** Keeps the requests in flight of one connection. One that is answered at once never flies. */
export interface Ledger {
  enter(request: IncomingRequest): void;
  leave(request: IncomingRequest): void;
}

/** One request on its way through handler and encoder. */
interface Run {
  readonly behaviour: Behaviour;
  readonly row: RequestRow;
  readonly handler: RequestHandler;
  readonly request: IncomingRequest;
}

/**
 * Walks one request through codec, middleware and handler and back to the text of its response.
 * @returns undefined when no answer is wanted any more.
 */
export function dispatch(behaviour: Behaviour, admission: Admission): Answer {
  try {
    return walk(behaviour, admission);
  } catch (error) {
    const { id, method } = admission.message;
    report(behaviour, error, method);
    return refusal(admission.exchange, id, internalError);
  }
}

/** The answer to a request that failed. */
function refusal(exchange: Exchange, id: RequestId, error: WireError): string {
  exchange.failed?.(error.code);
  return errorFrame(id, error);
}

function walk(behaviour: Behaviour, admission: Admission): Answer {
  const { message, revision } = admission;
  const row = revision.requests[behaviour.side === 'server' ? 'client' : 'server'].get(message.method);
  const handler = behaviour.requests.get(message.method);
  if (row === undefined || handler === undefined) {
    const name = message.method.slice(0, 128);
    const error = { code: ErrorCode.methodNotFound, message: `Method not found: ${name}` };
    return refusal(admission.exchange, message.id, error);
  }
  const decoded = decodeParams(row, message.params);
  if (!decoded.ok) {
    const error = { code: ErrorCode.invalidParams, message: decoded.problem };
    return refusal(admission.exchange, message.id, error);
  }
  const { id, method } = message;
  const facts = { id, method, params: decoded.value, revision, from: admission.from };
  const request = new IncomingRequest(facts, admission.exchange, admission.host);
  const run: Run = { behaviour, row, handler, request };
  try {
    const result = handle(run);
    return result instanceof Promise ? fly(run, result, admission.ledger) : succeed(run, result);
  } catch (error) {
    return fail(run, error);
  }
}

function handle({ behaviour, handler, request }: Run): UnknownObject | Promise<UnknownObject> {
  const { middleware } = behaviour;
  if (middleware.length === 0) return handler.handle(request);
  const { method, params, revision } = request;
  return runThrough(middleware, { direction: 'inbound', method, params, revision, request }, (changed) => {
    request.params = changed;
    return handler.handle(request);
  });
}

function fly(
  run: Run,
  result: Promise<UnknownObject>,
  ledger: Ledger | undefined,
): Promise<string | undefined> {
  const { request } = run;
  ledger?.enter(request);
  return result.then(
    (value) => {
      try {
        return succeed(run, value);
      } finally {
        ledger?.leave(request);
      }
    },
    (error: unknown) => {
      try {
        return fail(run, error);
      } finally {
        ledger?.leave(request);
      }
    },
  );
}

function succeed(run: Run, result: UnknownObject): string | undefined {
  const { request } = run;
  try {
    const answer = request.cancelled ? undefined : resultFrame(request.id, textOf(run, result));
    request.finish();
    return answer;
  } catch (error) {
    return fail(run, error);
  }
}

function fail({ behaviour, handler, request }: Run, thrown: unknown): string | undefined {
  const wanted = !request.cancelled;
  try {
    request.finish();
    if (!wanted) return undefined;
    handler.failed?.(thrown, request);
    const told = toWireError(thrown, request.revision);
    if (told === undefined) report(behaviour, thrown, request.method);
    return errorText(behaviour, request, told ?? internalError);
  } catch (error) {
    // What is thrown may be an object of any class, and fail in turn when it is read.
    report(behaviour, error, request.method);
    return refusal(request.exchange, request.id, internalError);
  }
}

function errorText(
  behaviour: Behaviour,
  { id, method, exchange }: IncomingRequest,
  error: WireError,
): string {
  try {
    return refusal(exchange, id, error);
  } catch (unserialisable) {
    report(behaviour, unserialisable, method);
    return errorFrame(id, { code: error.code, message: error.message });
  }
}

function textOf(run: Run, result: UnknownObject): string {
  const { handler, request } = run;
  if (!isObject(result)) throw new TypeError(`The handler of ${request.method} returned no result object.`);
  if (handler.reusesResults !== true) return encode(run, result);
  let texts = keptTexts.get(result);
  if (texts === undefined) {
    texts = new Map();
    keptTexts.set(result, texts);
  }
  let text = texts.get(request.revision);
  if (text === undefined) {
    text = encode(run, result);
    texts.set(request.revision, text);
  }
  return text;
}

function encode({ behaviour, row, request }: Run, result: UnknownObject): string {
  return request.revision.codec.resultText(encodeResult(row, result), behaviour.info);
}

/** Texts of results that are returned again and again, such as list pages: one per revision, for as long as the result lives. */
const keptTexts = new WeakMap<UnknownObject, Map<Revision, string>>();
