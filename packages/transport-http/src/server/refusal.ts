import { ErrorCode, errorFrame } from '@tenon/mcp-protocol';
import type { Headers, HttpCall } from './http-call.js';

/** Why a request is turned away before it means anything, and with which status. */
export interface Refusal {
  readonly status: number;
  /** One sentence that says what to do; undefined for an answer without a body. */
  readonly reason?: string;
  readonly headers?: Headers;
  /** JSON-RPC code of the body; invalid request by default. */
  readonly code?: number;
}

export const jsonHeaders: Headers = Object.freeze({ 'content-type': 'application/json' });

/** Why nothing is served any more. */
export const leaving: Refusal = {
  status: 503,
  reason: 'This server is closing and takes no further requests.',
  headers: { 'retry-after': '5', connection: 'close' },
  code: ErrorCode.shuttingDown,
};

/** Turns a request away. The body is a JSON-RPC error without an id, as every HTTP revision allows. */
export function refuse(call: HttpCall, { status, reason, headers, code }: Refusal): void {
  if (reason === undefined) {
    call.send(status, headers ?? {});
    return;
  }
  const error = { code: code ?? ErrorCode.invalidRequest, message: reason };
  call.send(
    status,
    headers === undefined ? jsonHeaders : { ...jsonHeaders, ...headers },
    errorFrame(undefined, error),
  );
}
