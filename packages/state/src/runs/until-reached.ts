import type { Clock } from '@tenon/mcp-protocol';
import type { StateError, StateFailure } from '../state-error.js';
import { pause } from './pause.js';

/** Milliseconds of the first pause between two attempts, which doubles, and of the longest one. */
export const [firstPause, longestPause] = [500, 5_000];
/** Milliseconds in which an attempt may begin, by default. A state that is full is not waited for any longer. */
export const longest = 30_000;

/** How long work on the state is repeated. */
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
  const began = clock.now();
  for (let wait = firstPause; ; wait = Math.min(longestPause, 2 * wait)) {
    try {
      return await work();
    } catch (error) {
      const failure = failureOf(error);
      const time = failure === 'unavailable' ? within : failure === 'full' ? Math.min(within, longest) : 0;
      if (clock.now() - began >= time || signal?.aborted) throw error;
      if (wait === firstPause) report(error);
      await pause(clock, wait, signal);
      if (signal?.aborted) throw error;
    }
  }
}

/**
 * Returns the reason for which the state failed: of a StateError, or of an error that has one as its cause; undefined for any other
 * error. By its name: the class may be loaded twice.
 */
export function failureOf(error: unknown): StateFailure | undefined {
  const failure = error instanceof Error && error.name !== 'StateError' ? error.cause : error;
  return failure instanceof Error && failure.name === 'StateError' ? (failure as StateError).reason : undefined;
}
