import type { Clock } from '@tenon/mcp-protocol';

/** How long a task may take. */
export interface Allowance {
  readonly clock: Clock;
  /** Milliseconds. */
  readonly timeout: number;
  /** Of whoever waits for the task. */
  readonly signal: AbortSignal | undefined;
  /** Makes the error for when the time is over. */
  readonly late: () => Error;
}

/**
 * Runs a task that is over, one way or the other, when its time is, or when nobody waits for it any more: then it rejects
 * with the reason of the signal.
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
  // A fetch of somebody's own may not heed the signal.
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
