import type { Clock } from '@tenon/mcp-protocol';
import { StateError } from '@tenon/mcp-state';

/** Attempts to reach the state before work on it fails, and the milliseconds between them. */
const attempts = 60;
const pauseTime = 500;

/** The clock and the receiver of errors of {@link untilReached}. */
export interface AttemptSettings {
  readonly clock: Pick<Clock, 'schedule'>;
  readonly onError: (error: unknown, where: string) => void;
}

/**
 * Returns the result of work on the state. Repeats the work for half a minute while it fails, and reports the first failure.
 * @throws the last failure.
 */
export async function untilReached<T>(settings: AttemptSettings, work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const isClosed = error instanceof StateError && error.reason === 'closed';
      if (isClosed || attempt >= attempts) throw error;
      if (attempt === 1) settings.onError(error, 'state');
      await pause(settings);
    }
  }
}

/** Resolves after the time between two attempts. */
export function pause({ clock }: Pick<AttemptSettings, 'clock'>): Promise<void> {
  return new Promise((resolve) => clock.schedule(resolve, pauseTime));
}
