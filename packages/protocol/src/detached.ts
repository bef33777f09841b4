import { ErrorCode } from './errors.js';
import { isObject } from './json.js';
import { errorFrame, isRequestId, type RequestId } from './json-rpc.js';

/**
 * Lets work run that nothing waits for. This is the one way to start such work: nothing else drops a promise.
 * @param failed - called with what the work rejects with. Must not throw.
 */
export function detach(work: Promise<unknown> | undefined, failed: (error: unknown) => void): void {
  work?.then(undefined, failed);
}

/**
 * Calls a function with what a promise resolves with, while nothing waits for either.
 * @param failed - called with what the promise rejects with, or with what the function throws. Must not throw.
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
 * The answer to a message whose receiver failed: "Internal error", under the id of the request; undefined for a message
 * that wants no answer.
 */
export function failedAnswer(message: unknown): string | undefined {
  const id = requestIdOf(message);
  if (id === undefined && !Array.isArray(message)) return undefined;
  return errorFrame(id ?? null, { code: ErrorCode.internalError, message: 'Internal error' });
}

/** The id of a request, as far as it can be read; undefined for what is none. */
export function requestIdOf(message: unknown): RequestId | undefined {
  if (!isObject(message) || typeof message.method !== 'string') return undefined;
  return isRequestId(message.id) ? message.id : undefined;
}
