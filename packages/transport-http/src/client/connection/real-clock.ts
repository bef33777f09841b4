import type { Clock } from '@tenon/mcp-protocol';

/** The real clock. */
export const realClock: Clock = {
  now: () => performance.now(),
  schedule(task, ms, holds = false) {
    const timer: unknown = setTimeout(task, ms);
    if (!holds && typeof timer === 'object' && timer !== null && 'unref' in timer) {
      (timer as { unref(): void }).unref();
    }
    return () => clearTimeout(timer as ReturnType<typeof setTimeout>);
  },
};
