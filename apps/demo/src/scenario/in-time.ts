/**
 * Resolves with the value of a promise. Rejects when the time is over, or when the signal aborts.
 * @param ms - milliseconds to wait.
 */
export async function inTime<T>(promise: Promise<T>, ms: number, signal: AbortSignal): Promise<T> {
  // The promise may reject after the wait is over.
  promise.catch(() => undefined);
  signal.throwIfAborted();
  let stop = () => {};
  const over = new Promise<never>((_, reject) => {
    const timer = setTimeout(() => reject(new Error(`took longer than ${ms} ms`)), ms);
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    stop = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    };
  });
  try {
    return await Promise.race([promise, over]);
  } finally {
    stop();
  }
}
