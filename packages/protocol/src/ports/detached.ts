import { ErrorCode } from '../json-rpc/errors.js';
import { isObject } from '../json-rpc/json.js';
import { errorFrame, isRequestId, type RequestId } from '../json-rpc/messages.js';

/**
 * Returns the answer to a message after its receiver failed: "Internal error" with the id of the request; undefined for a message
 * that expects no answer.
 */
export function failedAnswer(message: unknown): string | undefined {
  const id = requestIdOf(message);
  if (id === undefined && !Array.isArray(message)) return undefined;
  return errorFrame(id ?? null, { code: ErrorCode.internalError, message: 'Internal error' });
}

/** Returns the id of a request; undefined if the value is not a request or its id is unreadable. */
export function requestIdOf(message: unknown): RequestId | undefined {
  if (!isObject(message) || typeof message.method !== 'string') return undefined;
  return isRequestId(message.id) ? message.id : undefined;
}
