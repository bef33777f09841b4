import type { Clock } from '@tenon/mcp-protocol';

/** The time limit of a task. */
export interface Allowance {
  readonly clock: Clock;
  /** Milliseconds until the task fails. */
  readonly timeout: number;
  /** The signal of the caller. */
  readonly signal: AbortSignal | undefined;
  /** Makes the error for a task that took too long. */
  readonly late: () => Error;
}

/**
 * Runs a task with a time limit.
 * @throws the error of `late` after the time limit, or the reason of the signal once it aborts.
 */
export async function withinTime<T>(
  { clock, timeout, signal, late }: Allowance,
  task: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const stop = new AbortController();
  const giveUp = () => stop.abort(signal?.reason);
  signal?.addEventListener('abort', giveUp, { once: true });
  const cancel = clock.schedule(() => stop.abort(late()), timeout, true);
  // A custom fetch may ignore the signal.
  const stopped = new Promise<never>((_, reject) => {
    stop.signal.addEventListener('abort', () => reject(stop.signal.reason), { once: true });
  });
  try {
    return await Promise.race([task(stop.signal), stopped]);
  } catch (error) {
    throw stop.signal.aborted ? stop.signal.reason : error;
  } finally {
    cancel();
    signal?.removeEventListener('abort', giveUp);
  }
}
