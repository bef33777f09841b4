import { withoutControls } from '@tenon/foundation';
import { isObject } from './json.js';
import type { WireError } from './messages.js';

/** Numeric codes on the wire: JSON-RPC's, the specification's, and Tenon's own (outside the reserved range). */
export const ErrorCode = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  /** Resource not found; 2025-11-25 and earlier. */
  resourceNotFound: -32002,
  /** URL elicitation required; 2025-11-25 alone. */
  urlElicitationRequired: -32042,
  /** The user rejected a sampling request; the handshake revisions' own code for it. */
  userRejected: -1,
  headerMismatch: -32020,
  missingClientCapability: -32021,
  unsupportedProtocolVersion: -32022,
  /** Tenon: a bound on requests was reached; try again later. */
  overloaded: -31001,
  /** Tenon: the server is closing and takes no further requests. */
  shuttingDown: -31002,
  /** Tenon: the user or the application rejected the request of the peer. */
  refused: -31003,
  /** Tenon: the peer exceeded a rate limit. `data.retryAfterMs` is the wait before the next call, in milliseconds. */
  rateLimited: -31004,
} as const;

/**
 * The error a handler or middleware throws to answer a request with a JSON-RPC error: the peer receives its code, message and
 * data. An error that was received from a peer is a {@link RemoteError}.
 */
export class RpcError extends Error {
  override readonly name: string = 'RpcError';
  readonly code: number;
  readonly data: unknown;

  /**
   * @param code - an integer; see {@link ErrorCode}.
   * @param message - one concise sentence.
   * @throws RangeError when the code is not an integer.
   */
  constructor(code: number, message: string, options: { data?: unknown; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    if (!Number.isInteger(code)) throw new RangeError(`An error code must be an integer, not ${code}.`);
    this.code = code;
    this.data = options.data;
  }

  /** The error member of the response. */
  toWire(): WireError {
    return this.data === undefined
      ? { code: this.code, message: this.message }
      : { code: this.code, message: this.message, data: this.data };
  }
}

/** The request that a {@link RemoteError} answers. */
export interface RemoteErrorOptions {
  readonly method?: string | undefined;
  /** The tool, prompt or resource that the request named. */
  readonly subject?: string | undefined;
  readonly cause?: unknown;
}

/**
 * A JSON-RPC error received from a peer. Its message begins with the request: `tools/call search: No such index`.
 *
 * It is never sent on to another peer: uncaught in a handler it is answered with "Internal error" and reported to `onError`,
 * like any other error. To forward it on purpose: `throw new RpcError(error.code, error.peerMessage)`, with `data` if the other
 * peer may see it.
 */
export class RemoteError extends Error {
  override readonly name: string = 'RemoteError';
  /** An integer; see {@link ErrorCode}. */
  readonly code: number;
  /** Sent by the peer; not verified. */
  readonly data: unknown;
  /** The message as the peer sent it. */
  readonly peerMessage: string;
  /** Method of the request; undefined for an error that answers no known request. */
  readonly method: string | undefined;
  /** Name of the tool or prompt, or URI of the resource, that the request named. */
  readonly subject: string | undefined;

  constructor({ code, message, data }: WireError, { method, subject, cause }: RemoteErrorOptions = {}) {
    const text = method === undefined ? message : `${callName(method, subject)}: ${message}`;
    super(text, cause === undefined ? undefined : { cause });
    this.code = code;
    this.data = data;
    this.peerMessage = message;
    this.method = method;
    this.subject = subject;
  }
}

/** Names a request in error texts: its method, and the tool, prompt or URI it is about. */
export function callName(method: string, subject: string | undefined): string {
  return subject === undefined ? method : `${method} ${subject.slice(0, 128)}`;
}

/** The tool, prompt or URI that the params of a request name. */
export function subjectOf(params: unknown): string | undefined {
  if (!isObject(params)) return undefined;
  const { name, uri } = isObject(params.ref) ? params.ref : params;
  if (typeof name === 'string') return name;
  return typeof uri === 'string' ? uri : undefined;
}

/** The reason of a {@link SessionError}. */
export type SessionErrorReason =
  /** The connection is closed or closing. */
  | 'closed'
  /** No answer within the time allowed. */
  | 'timeout'
  /** The signal of the caller aborted. */
  | 'cancelled'
  /** The revision in use does not have the method or feature. */
  | 'not-in-revision'
  /** The peer did not declare the capability. */
  | 'capability-missing'
  /** There is no revision that both ends support. */
  | 'no-common-revision'
  /** The peer answered with an invalid result. */
  | 'invalid-answer'
  /** The peer rejected the input request. */
  | 'refused'
  /** A limit of this end was reached. */
  | 'limit';

/** A local failure of one conversation: not an error that the peer sent. */
export class SessionError extends Error {
  override readonly name: string = 'SessionError';
  readonly reason: SessionErrorReason;
  /** True if the request was certainly not sent: the peer has handled no part of it. */
  readonly unhandled: boolean;

  constructor(
    reason: SessionErrorReason,
    message: string,
    options?: { readonly cause?: unknown; readonly unhandled?: boolean },
  ) {
    super(message, options);
    this.reason = reason;
    this.unhandled = options?.unhandled ?? false;
  }
}

/** Further facts of a transport failure. */
export interface TransportErrorOptions {
  readonly status?: number;
  readonly unhandled?: boolean;
  readonly permanent?: boolean;
  readonly cause?: unknown;
}

/** A failure of the transport: a process that died, a socket that broke, an HTTP status. */
export class TransportError extends Error {
  override readonly name: string = 'TransportError';
  /** HTTP status, or the exit code of a child process, where there is one. */
  readonly status: number | undefined;
  /** True if the peer has certainly not handled the message, which may be sent again over a new connection. */
  readonly unhandled: boolean;
  /** True if a retry cannot succeed before the user, the author or the operator changes something. */
  readonly permanent: boolean;

  constructor(message: string, options: TransportErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.status = options.status;
    this.unhandled = options.unhandled ?? false;
    this.permanent = options.permanent ?? false;
  }

  /**
   * Returns the failure for one call: the message begins with the name of the call. A subclass
   * overrides it; otherwise its errors are returned as they are.
   */
  of(call: string): TransportError {
    return transportErrorOf(call, this);
  }
}

// A class that names itself in its body gets another name in the bundle, and Node prints that name.
function transportErrorOf(call: string, error: TransportError): TransportError {
  if (error.constructor !== TransportError) return error;
  const { status, unhandled, permanent, cause } = error;
  const options = { unhandled, permanent, cause, ...(status !== undefined && { status }) };
  return new TransportError(`${call}: ${error.message}`, options);
}

/** Returns the part of an error text about lines that were printed in place of messages, '' for none. */
export function strayOutput(lines: readonly string[]): string {
  if (lines.length === 0) return '';
  return `\nIt printed on stdout, where only messages belong (logs go to stderr):\n  ${lines.map(withoutControls).join('\n  ')}`;
}
