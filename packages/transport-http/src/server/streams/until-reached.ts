import type { Clock } from '@tenon/foundation';
import { type ClusterNode, StateError } from '@tenon/mcp-state';
import { NodeGoneError } from '@tenon/mcp-state/internal';

/** Milliseconds for which work on the state is repeated, and between two attempts. */
const longest = 30_000;
const pauseTime = 500;
/** Milliseconds for which another process is asked again: longer than processes take to connect again after an interruption. */
const longestAsk = 8_000;

/** The clock and the receiver of errors of {@link untilReached}. */
export interface AttemptSettings {
  readonly clock: Pick<Clock, 'now' | 'schedule'>;
  readonly onError: (error: unknown, where: string) => void;
}

/**
 * Returns the result of work on the state. Repeats the work while the state is away or full, and reports the first failure.
 * @param within - milliseconds in which an attempt may begin.
 * @throws the last failure.
 */
export async function untilReached<T>(
  settings: AttemptSettings,
  work: () => Promise<T>,
  within: number = longest,
): Promise<T> {
  const end = settings.clock.now() + within;
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!mayPass(error) || settings.clock.now() >= end) throw error;
      if (attempt === 1) settings.onError(error, 'state');
      await pause(settings);
    }
  }
}

/** Resolves after the time between two attempts. */
export function pause({ clock }: Pick<AttemptSettings, 'clock'>): Promise<void> {
  return new Promise((resolve) => clock.schedule(resolve, pauseTime));
}

/**
 * Returns the answer of another process; undefined if it is gone. Asks again after an interruption of the state, in which the process may
 * only have been cut off, so it may receive the message twice.
 * @throws StateError if the state stays away.
 */
export function askProcess(
  settings: AttemptSettings & { readonly cluster: ClusterNode },
  process: string,
  { kind, body }: { readonly kind: string; readonly body: unknown },
): Promise<unknown> {
  const ask = async () => {
    try {
      return await settings.cluster.request(process, kind, body);
    } catch (error) {
      if (error instanceof NodeGoneError) return undefined;
      throw error;
    }
  };
  return untilReached(settings, ask, longestAsk);
}

function mayPass(error: unknown): boolean {
  return error instanceof StateError && (error.reason === 'unavailable' || error.reason === 'full');
}
