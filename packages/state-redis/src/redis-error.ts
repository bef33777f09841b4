import { StateError } from '@tenon/mcp-state';

/** Returns the error of a call as a {@link StateError}. */
export function redisError(error: unknown): StateError {
  if (error instanceof StateError) return error;
  const text = error instanceof Error ? error.message : String(error);
  if (text.startsWith('OOM'))
    return new StateError('full', 'State: Redis has reached "maxmemory". Nothing was written.', {
      cause: error,
    });
  return new StateError('unavailable', `State: Redis did not carry out the call: ${text}`, { cause: error });
}

/** Returns true for the error of a master that has become a replica. */
export function isReadOnly(error: unknown): error is Error {
  return error instanceof Error && error.message.startsWith('READONLY');
}
