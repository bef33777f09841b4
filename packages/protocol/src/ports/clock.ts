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
