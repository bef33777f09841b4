import type { Clock } from '@tenon/foundation';
import type { Processes } from '@tenon/mcp-state';
import { ProcessGoneError, untilReached } from '@tenon/mcp-state/internal';

/** Milliseconds for which another process is asked again: longer than processes take to connect again after an interruption. */
const longestAsk = 8_000;

/** The dependencies of {@link askProcess}. */
export interface AskSettings {
  readonly processes: Processes;
  readonly clock: Clock;
  readonly onError: (error: unknown, where: string) => void;
}

/**
 * Returns the answer of another process; undefined if it is gone. Asks again after an interruption of the state, in which the process may
 * only have been cut off, so it may receive the message twice.
 * @throws StateError if the state stays away.
 */
export function askProcess(
  { processes, clock, onError }: AskSettings,
  process: string,
  { kind, body }: { readonly kind: string; readonly body: unknown },
): Promise<unknown> {
  const report = (error: unknown) => onError(error, 'state');
  return untilReached({ clock, report, within: longestAsk }, async () => {
    try {
      return await processes.request(process, kind, body);
    } catch (error) {
      if (error instanceof ProcessGoneError) return undefined;
      throw error;
    }
  });
}
