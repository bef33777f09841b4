import { ErrorCode, type HttpRefusal, type RequestId } from '@tenon/mcp-protocol';
import { errorFrame, isObject, isRequestId } from '@tenon/mcp-protocol/internal';
import type { Headers, HttpCall } from './http-call.js';

export const jsonHeaders: Headers = Object.freeze({ 'content-type': 'application/json' });

/** Headers of an answer that is an error: when to come back, where its status says that it may be tried again. */
export function errorHeaders(status: number, wait = 1_000): Headers {
  if (status !== 429 && status !== 503) return jsonHeaders;
  return { ...jsonHeaders, 'retry-after': String(Math.ceil(wait / 1_000)) };
}

/** Why nothing is served any more. */
export const leaving: HttpRefusal = {
  status: 503,
  reason: 'This server is closing and takes no further requests.',
  headers: { 'retry-after': '5', connection: 'close' },
  code: ErrorCode.shuttingDown,
};

/** Why the answer to a request is not sent that waits behind others on its connection. */
export const unreadAnswers: HttpRefusal = {
  status: 503,
  reason:
    'The request was handled, but its answer is not sent: earlier answers on this connection wait to be read and hold as much as limits.unread allows. Read them, or use another connection.',
  code: ErrorCode.overloaded,
};

/** Why a request is not handled that waits behind others on its connection. */
export const pipelinedTooMany: HttpRefusal = {
  status: 503,
  reason:
    'As many requests as limits.pipelined allows wait behind another on this connection already; wait for their answers, or use another connection.',
  headers: { 'retry-after': '1' },
  code: ErrorCode.overloaded,
};

/** What is said of a failure that is none of the client's business. */
export const internalError: HttpRefusal = {
  status: 500,
  reason: 'Internal error',
  code: ErrorCode.internalError,
};

/**
 * Turns a request away. The body is a JSON-RPC error: with the id of the message, where there is one to read.
 * @param message - what was sent, once it is parsed.
 */
export function refuse(
  call: HttpCall,
  { status, reason, headers, code }: HttpRefusal,
  message?: unknown,
): void {
  if (reason === undefined) {
    call.send(status, headers ?? {});
    return;
  }
  const error = { code: code ?? ErrorCode.invalidRequest, message: reason };
  call.send(
    status,
    headers === undefined ? jsonHeaders : { ...jsonHeaders, ...headers },
    errorFrame(idOf(message), error),
  );
}

/** The id of a request that is not looked at otherwise. */
export function idOf(message: unknown): RequestId | undefined {
  return isObject(message) && isRequestId(message.id) ? message.id : undefined;
}
