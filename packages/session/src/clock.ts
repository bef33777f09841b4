/** Time, injected so that tests need not wait. */
export interface Clock {
  /** Milliseconds, monotonic. */
  now(): number;
  /**
   * Runs `task` once after `ms` milliseconds, earlier only where that is longer than timers reach; the returned
   * function cancels it.
   * @param holds - keeps the process alive until then; false by default.
   */
  schedule(task: () => void, ms: number, holds?: boolean): () => void;
}

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
