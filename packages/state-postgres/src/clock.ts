import type { Clock } from '@tenon/mcp-protocol';

/** The clock of the process. Its timers keep the process alive only if they hold it. */
export const processClock: Clock = {
  now: () => performance.now(),
  schedule(task, ms, holds = false) {
    const timer = setTimeout(task, ms);
    if (!holds) timer.unref();
    return () => clearTimeout(timer);
  },
};
