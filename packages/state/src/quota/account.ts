import type { Reservation } from './ledger.js';

/** One caller, as this process counts it. */
export class Account {
  readonly name: string;
  /** Bytes that this process has written for the caller, and that it is writing now. */
  used = 0;
  /** Writes in progress. */
  writes = 0;
  /** The time on the clock at which the last of these bytes expires. */
  lastExpiry = 0;
  /** The keys of the values and logs that are remembered, the least recently written first. */
  readonly keys: Set<string> = new Set();
  /** Values and log entries that are remembered. */
  remembered = 0;
  /** The bytes that this process may use. Undefined if no other process writes to the state. */
  readonly reservation: Reservation | undefined;
  /** The last change of the reservation. */
  turn: Promise<unknown> | undefined;

  constructor(name: string, reservation: Reservation | undefined) {
    this.name = name;
    this.reservation = reservation;
  }

  /** True if nothing is counted for the caller. */
  get isEmpty(): boolean {
    const { used, writes, turn, reservation } = this;
    return used === 0 && writes === 0 && turn === undefined && (reservation?.bytes ?? 0) === 0;
  }
}
