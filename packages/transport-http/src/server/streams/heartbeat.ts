import type { Clock } from '@tenon/mcp-protocol';

/** Something that wants to be looked at from time to time while it is there. */
export interface HeartbeatListener {
  /**
   * @param isDue - true twice within an interval: what has been quiet since the last such look has been so for at least half of
   * it. Between two of them may be looks for what has expired.
   */
  beat(now: number, isDue: boolean): void;
}

/** What has expired is found out within half of this, however seldom streams are kept alive. */
const longest = 15_000;

/** Looks at everything that waits or is open, with one timer for all of it and none while there is nothing. */
export class Heartbeat {
  readonly #clock: Clock;
  readonly #interval: number;
  /** Looks for each one that is due. */
  readonly #looks: number;
  readonly #members = new Set<HeartbeatListener>();
  #armed = false;
  #due = 0;
  #looked = 0;
  #disarm: () => void = () => {};

  /** @param interval - milliseconds within which everything is looked at twice. */
  constructor(clock: Clock, interval: number) {
    this.#clock = clock;
    this.#looks = Math.ceil(interval / longest);
    this.#interval = Math.min(interval / this.#looks || longest, longest) / 2;
  }

  add(member: HeartbeatListener): void {
    this.#members.add(member);
    // Some runtimes drop the timers of a request when it ends: one that is long overdue will not fire.
    const now = this.#clock.now();
    if (!this.#armed || now > this.#due + this.#interval) this.#arm(now);
  }

  // The timer runs on until a look finds nothing: members come and go far more often than it fires.
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
