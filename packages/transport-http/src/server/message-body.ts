import { ErrorCode, type HttpRefusal, isNestedDeeper } from '@tenon/mcp-protocol';
import type { Body } from './http-call.js';
import type { HttpLimits } from './http-limits.js';

/** The JSON value of a body, or why there is none. */
export type Message = { readonly value: unknown } | HttpRefusal;

/** Parses a body once. Never throws. */
export function messageOf(body: Body, { nesting }: HttpLimits): Message {
  if ('flaw' in body) return unreadable(body.flaw.reason, body.flaw.status);
  const text = 'text' in body ? body.text : undefined;
  let value: unknown;
  try {
    value = 'text' in body ? JSON.parse(body.text) : body.value;
  } catch (error) {
    return unreadable(`The body is not JSON: ${(error as Error).message.slice(0, 200)}`, 400);
  }
  return isNestedDeeper(value, text, nesting)
    ? unreadable(`The message nests deeper than ${nesting} levels.`, 400)
    : { value };
}

// The connection stays, also of a body that was too long: ended while its client still sends, it takes the answer with it.
function unreadable(reason: string, status: number): HttpRefusal {
  return { status, reason, code: status < 500 ? ErrorCode.parseError : ErrorCode.internalError };
}
