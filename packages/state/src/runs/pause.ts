import type { Clock } from '@tenon/foundation';

/** Resolves after so many milliseconds, or when the signal aborts. */
export function pause(clock: Pick<Clock, 'schedule'>, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      cancel();
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const cancel = clock.schedule(done, ms);
    signal?.addEventListener('abort', done, { once: true });
    if (signal?.aborted) done();
  });
}
