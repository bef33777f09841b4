import { ErrorCode } from '../json-rpc/errors.js';
import { isObject } from '../json-rpc/json.js';
import { errorFrame, isRequestId, type RequestId } from '../json-rpc/messages.js';

/**
 * Runs work in the background. This is the only way to drop a promise.
 * @param failed - called with the error of the work. Must not throw.
 */
export function detach(work: Promise<unknown> | undefined, failed: (error: unknown) => void): void {
  work?.then(undefined, failed);
}

/**
 * Calls a function with the value of a promise, in the background.
 * @param failed - called with the error of the promise or of the function. Must not throw.
 */
export function follow<T>(
  promise: Promise<T>,
  take: (value: T) => void,
  failed: (error: unknown) => void,
): void {
  promise.then((value) => {
    try {
      take(value);
    } catch (error) {
      failed(error);
    }
  }, failed);
}

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
