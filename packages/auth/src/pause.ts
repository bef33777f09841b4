import type { Clock } from '@tenon/mcp-session';

/** Waits for some milliseconds, and keeps the process alive. Rejects with the reason of the signal. */
export function pause(ms: number, clock: Clock, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      cancel();
      reject(signal?.reason);
    };
    const cancel = clock.schedule(
      () => {
        signal?.removeEventListener('abort', abort);
        resolve();
      },
      ms,
      true,
    );
    if (signal?.aborted === true) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
}
