/** Cancels a scheduled task. */
export interface Cancel {
  (): void;
  /** Sets whether the task keeps the process alive. Absent on platforms without that idea. */
  readonly hold?: (holds: boolean) => void;
}

/** Time, injected so that tests need not wait. */
export interface Clock {
  /** Milliseconds, monotonic. */
  now(): number;
  /**
   * Runs `task` once after `ms` milliseconds, earlier only if that exceeds the range of timers; the returned
   * function cancels it.
   * @param holds - keeps the process alive until then; false by default.
   */
  schedule(task: () => void, ms: number, holds?: boolean): Cancel;
}

// Beyond this, timers fire at once.
const longest = 2 ** 31 - 1;

/** The real clock. */
export const systemClock: Clock = {
  now: () => performance.now(),
  schedule(task, ms, holds = false) {
    const timer = setTimeout(task, Math.min(ms, longest)) as unknown as Timer | number;
    const cancel: (() => void) & { hold?: (holds: boolean) => void } = () => clearTimeout(timer as number);
    if (typeof timer !== 'object' || !('unref' in timer)) return cancel;
    if (!holds) timer.unref();
    cancel.hold = (on) => {
      if (on) timer.ref();
      else timer.unref();
    };
    return cancel;
  },
};

/** A timer of a runtime with processes that end when no timer holds them. */
interface Timer {
  ref(): void;
  unref(): void;
}
