import { type Clock, onAbort } from '@tenon/foundation';
import { AuthError } from '../auth-error.js';

/** The time limit of a sign-in. */
export interface SignInWaitParts {
  readonly clock: Clock;
  /** Milliseconds that the user may take. */
  readonly timeout: number;
  readonly signal: AbortSignal | undefined;
}

/** A wait for the user, with a time limit. */
export interface SignInWait {
  /** Rejects with an AuthError `timeout` after the time limit, or with the reason of the signal. */
  readonly over: Promise<never>;
  /** Ends the wait. */
  stop(): void;
}

/** Starts the time limit of a sign-in. @throws the reason of the signal if it has aborted. */
export function signInWait({ clock, timeout, signal }: SignInWaitParts): SignInWait {
  signal?.throwIfAborted();
  let stop = () => {};
  const over = new Promise<never>((_, reject) => {
    const late = () =>
      reject(new AuthError('timeout', `The user did not sign in within ${duration(timeout)}.`));
    const cancel = clock.schedule(late, timeout);
    const release = onAbort(signal, () => reject(signal?.reason));
    stop = () => {
      cancel();
      release();
    };
  });
  return { over, stop };
}

function duration(ms: number): string {
  const [count, unit] =
    ms >= 120_000 ? [Math.round(ms / 60_000), 'minute'] : [Math.ceil(ms / 1_000), 'second'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
