/** Takes a task back that was scheduled. */
export interface Cancel {
  (): void;
  /** Has the task keep the process alive from now on, or no longer; absent where nothing keeps a process alive. */
  readonly hold?: (holds: boolean) => void;
}

/** Time, injected so that tests need not wait. */
export interface Clock {
  /** Milliseconds, monotonic. */
  now(): number;
  /**
   * Runs `task` once after `ms` milliseconds, earlier only where that is longer than timers reach; the returned
   * function cancels it.
   * @param holds - keeps the process alive until then; false by default.
   */
  schedule(task: () => void, ms: number, holds?: boolean): Cancel;
}
