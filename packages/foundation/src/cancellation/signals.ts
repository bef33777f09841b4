/** Runs a task once the signal aborts, at once if it has. Returns the function that removes the listener. */
export function onAbort(signal: AbortSignal | undefined, task: () => void): () => void {
  if (signal?.aborted) task();
  else signal?.addEventListener('abort', task, { once: true });
  return () => signal?.removeEventListener('abort', task);
}

/**
 * Waits for work, which goes on if the signal aborts first.
 * @param errorOf - returns the error for the reason of the signal. Default: the reason.
 * @throws the error of the work; the error of `errorOf` once the signal aborts.
 */
export async function unlessAborted<T>(
  work: Promise<T>,
  signal: AbortSignal | undefined,
  errorOf: (reason: unknown) => unknown = (reason) => reason,
): Promise<T> {
  if (signal === undefined) return work;
  let release = () => {};
  const aborted = new Promise<never>((_, reject) => {
    release = onAbort(signal, () => reject(errorOf(signal.reason)));
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    release();
  }
}
