import {
  ErrorCode,
  eventPeer,
  eventReason,
  eventText,
  type HttpRefusal,
  type RequestId,
  type WireError,
} from '@tenon/mcp-protocol';
import { errorFrame, isObject, isRequestId } from '@tenon/mcp-protocol/internal';
import type { Headers, HttpCall } from './http-call.js';

export const jsonHeaders: Headers = Object.freeze({ 'content-type': 'application/json' });

/** Returns the headers of an error response. A status that allows a retry has Retry-After. */
export function errorHeaders(status: number, wait = 1_000): Headers {
  if (status !== 429 && status !== 503) return jsonHeaders;
  return { ...jsonHeaders, 'retry-after': String(Math.ceil(wait / 1_000)) };
}

/** The refusal while the server is closing. */
export const draining: HttpRefusal = {
  status: 503,
  reason: 'This server is closing and takes no further requests.',
  headers: { 'retry-after': '5', connection: 'close' },
  code: ErrorCode.shuttingDown,
};

/** The error response to a request with a handler that is cancelled, since the server closes. Clients must not take it for a refusal. */
export const cancelledByClosing: HttpRefusal = {
  status: 500,
  reason:
    'This server has closed, and the request was cancelled. Whether the request had an effect is not known.',
  code: ErrorCode.internalError,
};

/** The refusal of an answer that waits behind too many unread answers on its connection. */
export const unreadAnswers: HttpRefusal = {
  status: 503,
  reason:
    'The request was handled, but its answer is not sent: unread answers on this connection hold as many bytes as one connection may. Read them, or use another connection.',
  code: ErrorCode.overloaded,
};

/** The refusal of a request that waits behind too many others on its connection. */
export const pipelinedTooMany: HttpRefusal = {
  status: 503,
  reason:
    'As many requests as one connection may have already wait on it; wait for their answers, or use another connection.',
  headers: { 'retry-after': '1' },
  code: ErrorCode.overloaded,
};

/** The refusal while the shared state of sessions cannot be reached. */
export const noState: HttpRefusal = {
  status: 503,
  reason: 'This server cannot reach the state of its sessions; try again later.',
  headers: { 'retry-after': '2' },
  code: ErrorCode.overloaded,
};

/** The refusal for internal failures. It contains no details. */
export const internalError: HttpRefusal = {
  status: 500,
  reason: 'Internal error',
  code: ErrorCode.internalError,
};

/**
 * Sends an error response. The body is a JSON-RPC error, with the id of the message if it could be read.
 * @param message - the parsed message, if there is one.
 */
export function refuse(
  call: HttpCall,
  { status, reason, headers, code }: HttpRefusal,
  message?: unknown,
): void {
  reportRefusal(call, status, reason);
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

/** Answers a message that cannot be routed with status 400. */
export function refuseMessage(call: HttpCall, error: WireError, message?: unknown): void {
  reportRefusal(call, 400, error.message);
  call.send(400, jsonHeaders, errorFrame(idOf(message), error));
}

/** Reports a request that is answered with an error before it reaches the server. */
export function reportRefusal(call: HttpCall, status: number, reason = 'Refused.'): void {
  const { serverEvents: events, principal, remoteAddress } = call;
  if (events?.active !== true) return;
  const [path = ''] = call.url.split('?', 1);
  const facts = { principal, remoteAddress, transport: 'http' };
  events.emit({
    type: 'refused',
    ...eventPeer({ facts }),
    status,
    path: eventText(`${call.method} ${path}`, longestPath),
    reason: eventReason(reason),
  });
}

/** Characters of a path in an event. */
const longestPath = 200;

/** Returns the id of a request without checking the rest of it. */
export function idOf(message: unknown): RequestId | undefined {
  return isObject(message) && isRequestId(message.id) ? message.id : undefined;
}
