import { ErrorCode, type HttpRefusal, type RequestId } from '@tenon/mcp-protocol';
import { isNestedDeeper, requestIdOf } from '@tenon/mcp-protocol/internal';
import type { Body } from './http-call.js';
import type { HttpBounds } from './http-limits.js';

/** The refusal of a body. */
export interface BodyRefusal extends HttpRefusal {
  /** The id of the message in the body, if it could be read. */
  readonly about?: { readonly id: RequestId };
}

/** The JSON value of a body, or the reason why there is none. */
export type Message = { readonly value: unknown } | BodyRefusal;

/** Parses a body once. Never throws. */
export function messageOf(body: Body, { nesting }: HttpBounds): Message {
  if ('problem' in body) return unreadable(body.problem.reason, body.problem.status);
  const text = 'text' in body ? body.text : undefined;
  let value: unknown;
  try {
    value = 'text' in body ? JSON.parse(body.text) : body.value;
  } catch (error) {
    return unreadable(`The body is not JSON: ${(error as Error).message.slice(0, 200)}`, 400);
  }
  return isNestedDeeper(value, text, nesting) ? tooDeep(value, nesting) : { value };
}

/** The id could be read: an error with that id is not a parse error. */
function tooDeep(value: unknown, nesting: number): BodyRefusal {
  const refusal = unreadable(`The message nests deeper than ${nesting} levels.`, 400);
  const id = requestIdOf(value);
  return id === undefined ? refusal : { ...refusal, code: ErrorCode.invalidRequest, about: { id } };
}

// The connection stays open, also after a body that was too long: closing it while the client still sends would lose the
// answer.
function unreadable(reason: string, status: number): HttpRefusal {
  if (status === 503) return { status, reason, code: ErrorCode.overloaded, headers: { 'retry-after': '1' } };
  return { status, reason, code: status < 500 ? ErrorCode.parseError : ErrorCode.internalError };
}
