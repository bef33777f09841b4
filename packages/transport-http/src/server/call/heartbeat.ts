import type { Clock } from '@tenon/foundation';

/** A listener that is called at intervals while it is registered. */
export interface HeartbeatListener {
  /**
   * @param isDue - true twice within an interval: a stream that has been quiet since the last such call was quiet for at
   * least half of the interval. Calls in between only check for expiry.
   */
  beat(now: number, isDue: boolean): void;
}

/**
 * Twice the longest time between two calls, in milliseconds. Expiry is noticed within half of this, however long the
 * interval is.
 */
const longest = 15_000;

/** Calls all listeners with one timer; there is no timer while there are no listeners. */
export class Heartbeat {
  readonly #clock: Clock;
  readonly #interval: number;
  /** Number of calls from one that is due to the next. */
  readonly #looks: number;
  readonly #members = new Set<HeartbeatListener>();
  #armed = false;
  #due = 0;
  #looked = 0;
  #disarm: () => void = () => {};

  /** @param interval - milliseconds in which every listener has two calls that are due. */
  constructor(clock: Clock, interval: number) {
    this.#clock = clock;
    this.#looks = Math.ceil(interval / longest);
    this.#interval = Math.min(interval / this.#looks || longest, longest) / 2;
  }

  add(member: HeartbeatListener): void {
    this.#members.add(member);
    // Some runtimes drop the timers of a request when it ends: a timer that is long overdue will not fire.
    const now = this.#clock.now();
    if (!this.#armed || now > this.#due + this.#interval) this.#arm(now);
  }

  // The timer runs until it finds no listener: listeners come and go far more often than it fires.
  delete(member: HeartbeatListener): void {
    this.#members.delete(member);
  }

  readonly #look = (): void => {
    this.#armed = this.#members.size > 0;
    if (!this.#armed) return;
    const now = this.#clock.now();
    this.#arm(now);
    this.#looked += 1;
    const isDue = this.#looked % this.#looks === 0;
    for (const member of [...this.#members]) member.beat(now, isDue);
  };

  #arm(now: number): void {
    this.#armed = true;
    this.#due = now + this.#interval;
    this.#disarm();
    this.#disarm = this.#clock.schedule(this.#look, this.#interval);
  }
}
