import type { Clock } from '@tenon/foundation';
import type { IncomingRequest } from './incoming-request.js';

/** One handler at work. */
export interface Timed {
  readonly request: IncomingRequest;
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
  readonly #flying = new Set<Timed>();
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
    return this.#flying.size;
  }

  /** Ensures checks often enough for a handler with a limit of so many milliseconds. */
  expect(ms: number): void {
    if (intervalFor(ms) >= this.#interval) return;
    this.#interval = intervalFor(ms);
    if (this.#armed) this.#arm();
  }

  enter(flight: Timed): void {
    if (this.#interval === Number.POSITIVE_INFINITY) return;
    const now = this.#clock.now();
    if (!this.#armed) this.#lookedAt = now;
    flight.spent = this.#lookedAt - now;
    this.#flying.add(flight);
    // Some runtimes drop the timers of a request when it ends: a timer that is long overdue will not fire.
    const overdue = now > this.#lookedAt + 2 * this.#interval;
    if (overdue) this.#look(now);
    if (overdue || !this.#armed) this.#arm();
  }

  // The timer continues until it finds no handler: handlers start and end far more often than it fires.
  leave(flight: Timed): void {
    this.#flying.delete(flight);
  }

  #look(now: number): void {
    const passed = now - this.#lookedAt;
    this.#lookedAt = now;
    for (const flight of this.#flying) {
      if (flight.request.awaitsPeer) continue;
      flight.spent += passed;
      const most = flight.request.patience ?? this.#most;
      if (flight.spent < most) continue;
      this.#flying.delete(flight);
      flight.expire(most);
    }
  }

  readonly #fired = (): void => {
    this.#look(this.#clock.now());
    this.#armed = false;
    if (this.#flying.size > 0) this.#arm();
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
