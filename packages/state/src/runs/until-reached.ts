import { type Clock, pause } from '@tenon/foundation';
import { stateFailureOf } from '@tenon/mcp-protocol/internal';
import type { StateFailure } from '../state.js';

/** Milliseconds of the first pause between two attempts, which doubles. */
export const firstPause = 500;
/** Milliseconds of the longest pause. */
export const longestPause = 5_000;
/** Milliseconds in which an attempt may begin, by default. A state that is full is not waited for any longer. */
export const longest = 30_000;

/** The time for which work on the state is repeated, and the receiver of a failure. */
export interface Patience {
  readonly clock: Pick<Clock, 'now' | 'schedule'>;
  /** Receives the first failure. */
  readonly report: (error: unknown) => void;
  /** Milliseconds in which an attempt may begin while the state cannot be reached. Default: 30,000. */
  readonly within?: number;
  /** Ends the wait. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Returns the result of work on the state. Repeats the work while the state cannot be reached, or is full.
 * @throws the last failure: at once if no other attempt can succeed, else when the time is over or the signal has aborted.
 */
export async function untilReached<T>(patience: Patience, work: () => Promise<T>): Promise<T> {
  const { clock, report, within = longest, signal } = patience;
  const waits: Partial<Record<StateFailure, number>> = {
    unavailable: within,
    full: Math.min(within, longest),
  };
  const began = clock.now();
  for (let wait = firstPause; ; wait = Math.min(longestPause, 2 * wait)) {
    try {
      return await work();
    } catch (error) {
      const failure = stateFailureOf<StateFailure>(error);
      const left = began + ((failure && waits[failure]) ?? 0) - clock.now();
      if (left <= 0 || signal?.aborted) throw error;
      if (wait === firstPause) report(error);
      await pause(clock, Math.min(wait, left), { signal });
      if (signal?.aborted) throw error;
    }
  }
}
