import type { Clock } from '@tenon/mcp-session';

/** Resolves after `ms` milliseconds, or once the signal aborts. The timer keeps the process alive. */
export function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      cancel();
      signal.removeEventListener('abort', done);
      resolve();
    };
    const cancel = clock.schedule(done, ms, true);
    if (signal.aborted) done();
    else signal.addEventListener('abort', done, { once: true });
  });
}
