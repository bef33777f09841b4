import type { Clock } from '@tenon/mcp-protocol';

export type { Clock } from '@tenon/mcp-protocol';

// Beyond this, timers fire at once.
const longest = 2 ** 31 - 1;

/** The real clock. */
export const systemClock: Clock = {
  now: () => performance.now(),
  schedule(task, ms, holds = false) {
    const timer: unknown = setTimeout(task, Math.min(ms, longest));
    if (!holds && typeof timer === 'object' && timer !== null && 'unref' in timer) {
      (timer as { unref(): void }).unref();
    }
    return () => clearTimeout(timer as ReturnType<typeof setTimeout>);
  },
};
