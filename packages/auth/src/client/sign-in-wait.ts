import type { Clock } from '@tenon/mcp-protocol';
import { AuthError } from '../auth-error.js';

/** How long a user may take to sign in. */
export interface SignInWaitParts {
  readonly clock: Clock;
  /** Milliseconds. */
  readonly patience: number;
  readonly signal: AbortSignal | undefined;
}

/** The end of a wait for a user who does not come back. */
export interface SignInWait {
  /** Rejects with an AuthError `timeout` when his time is up, or with the reason of the signal. */
  readonly over: Promise<never>;
  /** Ends the wait, whatever came of it. */
  stop(): void;
}

/** Waits for a user for so long, or until nobody waits for him any more. @throws what the signal was aborted with. */
export function signInWait({ clock, patience, signal }: SignInWaitParts): SignInWait {
  signal?.throwIfAborted();
  let stop = () => {};
  const over = new Promise<never>((_, reject) => {
    const late = () => reject(new AuthError('timeout', `Nobody signed in within ${duration(patience)}.`));
    const cancel = clock.schedule(late, patience);
    const abandoned = () => reject(signal?.reason);
    signal?.addEventListener('abort', abandoned, { once: true });
    stop = () => {
      cancel();
      signal?.removeEventListener('abort', abandoned);
    };
  });
  return { over, stop };
}

function duration(ms: number): string {
  const [count, unit] =
    ms >= 120_000 ? [Math.round(ms / 60_000), 'minute'] : [Math.ceil(ms / 1_000), 'second'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
