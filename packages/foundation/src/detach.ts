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
