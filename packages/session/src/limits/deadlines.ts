import type { Clock } from '@tenon/foundation';

/** One handler at work. */
export interface Timed {
  readonly request: {
    /** True while the handler waits for an answer of the peer. */
    readonly awaitsPeer: boolean;
    /** Milliseconds that the handler may run, if they differ from the limit of all handlers. */
    readonly patience: number | undefined;
  };
  /** Milliseconds it has worked, as of the last look. */
  spent: number;
  /** Called once when it has worked for as long as it may. */
  expire(ms: number): void;
}

/** Looks within a tenth of the shortest time allowed, but so many milliseconds apart at least. */
const looks = 10;
const shortest = 10;

/**
 * Bounds how long handlers work, with one timer for all of them and none while there are none. Time in which a handler
 * waits for the peer's answer is not its own.
 */
export class Deadlines {
  readonly #clock: Clock;
  readonly #most: number;
  readonly #running = new Set<Timed>();
  #interval: number;
  #lookedAt = 0;
  #armed = false;
  #disarm: () => void = () => {};

  /** @param most - milliseconds, unless a handler has a limit of its own. */
  constructor(clock: Clock, most: number) {
    this.#clock = clock;
    this.#most = most;
    this.#interval = intervalFor(most);
  }

  /** Running handlers. */
  get size(): number {
    return this.#running.size;
  }

  /** Ensures checks often enough for a handler with a limit of so many milliseconds. */
  expect(ms: number): void {
    if (intervalFor(ms) >= this.#interval) return;
    this.#interval = intervalFor(ms);
    if (this.#armed) this.#arm();
  }

  enter(handler: Timed): void {
    if (this.#interval === Number.POSITIVE_INFINITY) return;
    const now = this.#clock.now();
    if (!this.#armed) this.#lookedAt = now;
    handler.spent = this.#lookedAt - now;
    this.#running.add(handler);
    // Some runtimes drop the timers of a request when it ends: a timer that is long overdue will not fire.
    const overdue = now > this.#lookedAt + 2 * this.#interval;
    if (overdue) this.#look(now);
    if (overdue || !this.#armed) this.#arm();
  }

  // The timer continues until it finds no handler: handlers start and end far more often than it fires.
  leave(handler: Timed): void {
    this.#running.delete(handler);
  }

  #look(now: number): void {
    const passed = now - this.#lookedAt;
    this.#lookedAt = now;
    for (const handler of this.#running) {
      if (handler.request.awaitsPeer) continue;
      handler.spent += passed;
      const most = handler.request.patience ?? this.#most;
      if (handler.spent < most) continue;
      this.#running.delete(handler);
      handler.expire(most);
    }
  }

  readonly #fired = (): void => {
    this.#look(this.#clock.now());
    this.#armed = false;
    if (this.#running.size > 0) this.#arm();
  };

  #arm(): void {
    this.#disarm();
    this.#armed = true;
    this.#disarm = this.#clock.schedule(this.#fired, this.#interval);
  }
}

function intervalFor(ms: number): number {
  return Math.max(shortest, ms / looks);
}
