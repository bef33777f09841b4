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
import { report } from '../callbacks.js';
import type { Behaviour, RequestHandler } from '../requests/behaviour.js';
import type { IncomingRequest } from '../requests/incoming-request.js';
import type { BatchPlace } from './batch.js';
import { internalError, toWireError } from './thrown.js';

/** One request in handler and encoder. */
export interface HandledRequest {
  readonly behaviour: Behaviour;
  readonly row: RequestRow;
  readonly handler: RequestHandler;
  readonly request: IncomingRequest;
  readonly batch?: BatchPlace | undefined;
}

/** The error answer to a request. */
export function refusal(exchange: Exchange, id: RequestId, error: WireError): string {
  exchange.failed?.(error.code, waitIn(error));
  return errorFrame(id, error);
}

/** Milliseconds until the peer may try again, if the error has them. */
function waitIn({ data }: WireError): number | undefined {
  const wait = isObject(data) ? data.retryAfterMs : undefined;
  return typeof wait === 'number' && wait >= 0 && wait < Number.POSITIVE_INFINITY ? wait : undefined;
}

/** Returns the answer for the result of a handler; undefined if no answer is expected any more. Never throws. */
export function succeed(handled: HandledRequest, result: UnknownObject): string | undefined {
  const { batch, behaviour, request } = handled;
  try {
    let answer: string | undefined;
    if (!request.cancelled && batch?.mayMake === false) answer = batch.leftOut(request.id);
    else if (!request.cancelled) {
      const text = textOf(handled, result);
      batch?.made(text.length);
      const most = behaviour.handling?.resultSize;
      answer =
        most === undefined || text.length <= most
          ? resultFrame(request.id, text)
          : tooLarge(handled, text.length, most);
    }
    behaviour.observer?.answered(request, result);
    request.finish();
    return answer;
  } catch (error) {
    return fail(handled, error);
  }
}

/** Returns the answer for the error of a handler; undefined if no answer is expected any more. Never throws. */
export function fail({ behaviour, handler, request }: HandledRequest, thrown: unknown): string | undefined {
  const wanted = !request.cancelled;
  try {
    request.finish();
    if (!wanted) {
      behaviour.observer?.stopped(request, 'cancelled');
      return undefined;
    }
    handler.failed?.(thrown, request);
    const stopped = request.stoppedBy(thrown);
    const wireError = stopped === undefined ? toWireError(thrown, request.revision) : stoppedError(stopped);
    if (wireError === undefined) report(behaviour, thrown, request.method);
    if (thrown instanceof InsufficientScopeError) request.exchange.scopesLacking?.(thrown.scopes);
    const error = wireError ?? hiddenError(behaviour, thrown);
    behaviour.observer?.failed(request, error);
    return errorText(behaviour, request, error);
  } catch (error) {
    // The thrown value may be an object of any class, and reading it may throw.
    report(behaviour, error, request.method);
    return lastResort(request);
  }
}

// Not the code of a refusal, after which clients send a request again: the handler may have had an effect.
function stoppedError({ message }: Error): WireError {
  return { code: ErrorCode.internalError, message };
}

function hiddenError({ exposed }: Behaviour, thrown: unknown): WireError {
  const message = exposed?.(thrown);
  return message === undefined ? internalError : { ...internalError, message };
}

function lastResort({ exchange, id }: IncomingRequest): string {
  try {
    return refusal(exchange, id, internalError);
  } catch {
    // The transport fails as well; its error has been reported once.
    return errorFrame(id, internalError);
  }
}

/**
 * Returns the answer for a handler that exceeded its time; undefined if no answer is expected any more. Never
 * throws: it is called by a timer.
 */
export function stop(handled: HandledRequest, ms: number): string | undefined {
  const { request } = handled;
  if (request.cancelled) return undefined;
  try {
    const detail = `${subjectOf(handled)} was stopped: it took longer than ${ms / 1_000} s.`;
    const answer = givenUp(handled, new SessionError('timeout', detail));
    request.cancel(new SessionError('timeout', detail));
    request.finish();
    return answer;
  } catch (error) {
    return fail(handled, error);
  }
}

function tooLarge(handled: HandledRequest, length: number, most: number): string {
  const detail = `${subjectOf(handled)} gave a result of ${length} characters, and at most ${most} can be sent: ask for less of it.`;
  return givenUp(handled, new SessionError('limit', detail));
}

/** Returns the answer for a limit that was reached: a result, if the method has such results, else an error. */
function givenUp(handled: HandledRequest, reached: SessionError): string {
  const { behaviour, handler, request } = handled;
  const { message } = reached;
  report(behaviour, reached, request.method);
  behaviour.observer?.stopped(request, reached.reason === 'timeout' ? 'timeout' : 'limit');
  const result = handler.failure?.(message);
  if (result !== undefined) return resultFrame(request.id, encode(handled, result));
  return refusal(request.exchange, request.id, { code: ErrorCode.internalError, message });
}

function subjectOf({ handler, request }: HandledRequest): string {
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
    const detail = `The error of ${method} has ${frame.length} characters, and at most ${most} can be sent: its data was left out.`;
    report(behaviour, new SessionError('limit', detail), method);
  } catch (unserialisable) {
    report(behaviour, unserialisable, method);
  }
  const message =
    error.message.length <= longestMessage ? error.message : error.message.slice(0, longestMessage);
  return errorFrame(id, { code: error.code, message });
}

/** Characters that are sent of a too long error message. */
const longestMessage = 1_000;

function textOf(handled: HandledRequest, result: UnknownObject): string {
  const { handler, request } = handled;
  if (!isObject(result)) throw new TypeError(`The handler of ${request.method} returned no result object.`);
  if (handler.reusesResults !== true) return encode(handled, result);
  let texts = keptTexts.get(result);
  if (texts === undefined) {
    texts = new Map();
    keptTexts.set(result, texts);
  }
  let text = texts.get(request.revision);
  if (text === undefined) {
    text = encode(handled, result);
    texts.set(request.revision, text);
  }
  return text;
}

function encode({ behaviour, row, request }: HandledRequest, result: UnknownObject): string {
  return request.revision.codec.resultText(encodeResult(row, result), behaviour.info);
}

/** Texts of results that are returned repeatedly, such as list pages: one per revision, for as long as the result lives. */
const keptTexts = new WeakMap<UnknownObject, Map<Revision, string>>();
