import {
  ErrorCode,
  type Exchange,
  encodeResult,
  InsufficientScopeError,
  type RequestId,
  type RequestRow,
  type Revision,
  SessionError,
  type UnknownObject,
  type WireError,
} from '@tenon/mcp-protocol';
import { errorFrame, isObject, resultFrame } from '@tenon/mcp-protocol/internal';
import type { Behaviour, RequestHandler } from '../endpoint/behaviour.js';
import { report } from '../endpoint/callbacks.js';
import type { BatchPlace } from './batch.js';
import type { IncomingRequest } from './incoming-request.js';
import { internalError, toWireError } from './thrown.js';

/** One request on its way through handler and encoder. */
export interface Run {
  readonly behaviour: Behaviour;
  readonly row: RequestRow;
  readonly handler: RequestHandler;
  readonly request: IncomingRequest;
  readonly batch?: BatchPlace | undefined;
}

/** The answer to a request that failed. */
export function refusal(exchange: Exchange, id: RequestId, error: WireError): string {
  exchange.failed?.(error.code, waitIn(error));
  return errorFrame(id, error);
}

/** Milliseconds until the peer may try again, where an error says so. */
function waitIn({ data }: WireError): number | undefined {
  const wait = isObject(data) ? data.retryAfterMs : undefined;
  return typeof wait === 'number' && wait >= 0 && wait < Number.POSITIVE_INFINITY ? wait : undefined;
}

/** The answer to a request whose handler gave a result; undefined when none is wanted any more. Never throws. */
export function succeed(run: Run, result: UnknownObject): string | undefined {
  const { request } = run;
  try {
    const { batch, behaviour } = run;
    let answer: string | undefined;
    if (!request.cancelled && batch?.mayMake === false) answer = batch.leftOut(request.id);
    else if (!request.cancelled) {
      const text = textOf(run, result);
      batch?.made(text.length);
      const most = behaviour.handling?.resultSize;
      answer =
        most === undefined || text.length <= most
          ? resultFrame(request.id, text)
          : tooLarge(run, text.length, most);
    }
    request.finish();
    return answer;
  } catch (error) {
    return fail(run, error);
  }
}

/** The answer to a request whose handler threw; undefined when none is wanted any more. Never throws. */
export function fail({ behaviour, handler, request }: Run, thrown: unknown): string | undefined {
  const wanted = !request.cancelled;
  try {
    request.finish();
    if (!wanted) return undefined;
    handler.failed?.(thrown, request);
    const stopped = request.stoppedBy(thrown);
    const told = stopped === undefined ? toWireError(thrown, request.revision) : shuttingDown(stopped);
    if (told === undefined) report(behaviour, thrown, request.method);
    if (thrown instanceof InsufficientScopeError) request.exchange.scopesLacking?.(thrown.scopes);
    return errorText(behaviour, request, told ?? hiddenError(behaviour, thrown));
  } catch (error) {
    // What is thrown may be an object of any class, and fail in turn when it is read.
    report(behaviour, error, request.method);
    return lastResort(request);
  }
}

function shuttingDown({ message }: Error): WireError {
  return { code: ErrorCode.shuttingDown, message };
}

function hiddenError({ exposed }: Behaviour, thrown: unknown): WireError {
  const message = exposed?.(thrown);
  return message === undefined ? internalError : { ...internalError, message };
}

function lastResort({ exchange, id }: IncomingRequest): string {
  try {
    return refusal(exchange, id, internalError);
  } catch {
    // The transport fails as well; what it throws has been reported once.
    return errorFrame(id, internalError);
  }
}

/**
 * The answer to a request whose handler was stopped for taking too long; undefined when none is wanted any more. Never
 * throws: it is called by a timer.
 */
export function stop(run: Run, ms: number): string | undefined {
  const { request } = run;
  if (request.cancelled) return undefined;
  try {
    const told = `${subjectOf(run)} was stopped: it took longer than ${ms / 1_000} s.`;
    const answer = givenUp(run, new SessionError('timeout', told));
    request.cancel(new SessionError('timeout', told));
    request.finish();
    return answer;
  } catch (error) {
    return fail(run, error);
  }
}

function tooLarge(run: Run, length: number, most: number): string {
  const told = `${subjectOf(run)} gave a result of ${length} characters, and at most ${most} can be sent: ask for less of it.`;
  return givenUp(run, new SessionError('limit', told));
}

/** Says that a bound of this end was reached: in a result, where the method has such, else by an error. */
function givenUp(run: Run, reached: SessionError): string {
  const { behaviour, handler, request } = run;
  const { message } = reached;
  report(behaviour, reached, request.method);
  const result = handler.failure?.(message);
  if (result !== undefined) return resultFrame(request.id, encode(run, result));
  return refusal(request.exchange, request.id, { code: ErrorCode.internalError, message });
}

function subjectOf({ handler, request }: Run): string {
  return handler.subject?.(request) ?? request.method;
}

function errorText(
  behaviour: Behaviour,
  { id, method, exchange }: IncomingRequest,
  error: WireError,
): string {
  const most = behaviour.handling?.resultSize ?? Number.POSITIVE_INFINITY;
  try {
    const frame = refusal(exchange, id, error);
    if (frame.length <= most) return frame;
    const told = `The error of ${method} has ${frame.length} characters, and at most ${most} can be sent: its data was left out.`;
    report(behaviour, new SessionError('limit', told), method);
  } catch (unserialisable) {
    report(behaviour, unserialisable, method);
  }
  const message =
    error.message.length <= longestMessage ? error.message : error.message.slice(0, longestMessage);
  return errorFrame(id, { code: error.code, message });
}

/** Characters of the message of an error that is too long to be sent whole. */
const longestMessage = 1_000;

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
