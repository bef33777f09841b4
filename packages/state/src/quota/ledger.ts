import type { Clock } from '@tenon/foundation';
import { jsonIn } from '@tenon/foundation';
import { change } from '../change/change.js';
import { digestSegment } from '../keys.js';
import type { KeyValueStore } from '../state.js';

/** The bytes that each process may use for one caller, and until when, in milliseconds since 1970. */
type Ledger = Readonly<Record<string, readonly [bytes: number, until: number]>>;

/** The settings of the ledgers of all callers. */
export interface LedgerSettings {
  readonly kv: KeyValueStore;
  readonly clock: Pick<Clock, 'now'>;
  /** Milliseconds since 1970, which all processes can compare. */
  readonly wall: Pick<Clock, 'now'>;
  /** The name of this process in ledgers. */
  readonly process: string;
}

/** A part of a caller's bound that a process reserves. */
export interface Claim {
  /** Bytes that the process needs. */
  readonly bytes: number;
  /** Reserved bytes are a multiple of this number, or all that are left. */
  readonly chunk: number;
  /** Bytes of all processes together. */
  readonly limit: number;
  /** The time on the clock at which the last of the bytes expires. */
  readonly lastExpiry: number;
  /** True if the bytes are in the state already: they are reserved whatever others have, so that nothing more fits. */
  readonly isHeld?: boolean;
}

/** Milliseconds for which a ledger that was read is not read again for a claim that did not fit. */
const refusalPause = 250;
/** Milliseconds by which a reservation outlives its bytes, at least: the clocks of processes differ. */
const margin = 10_000;

/** The bytes of one caller that this process may use. The sum of all processes is in the state. */
export class Reservation {
  /** Reserved bytes. */
  bytes = 0;
  /** The time on the clock until which they are reserved. */
  until = 0;
  readonly #settings: LedgerSettings;
  readonly #caller: string;
  #key: string | undefined;
  /** The most that this process could reserve when the ledger was last read. */
  #room = Number.POSITIVE_INFINITY;
  #roomAt = Number.NEGATIVE_INFINITY;

  constructor(caller: string, settings: LedgerSettings) {
    this.#caller = caller;
    this.#settings = settings;
  }

  /** Reserves bytes, if other processes leave enough. Rejects with a StateError if the state fails. */
  async reserve(claim: Claim): Promise<boolean> {
    const { clock } = this.#settings;
    const now = clock.now();
    if (claim.isHeld !== true && claim.bytes > this.#room && now < this.#roomAt + refusalPause) return false;
    this.bytes = await this.#change(claim, (room) => {
      this.#room = room;
      this.#roomAt = now;
      const whole = Math.ceil(claim.bytes / claim.chunk) * claim.chunk;
      if (claim.isHeld) return whole;
      return claim.bytes > room ? this.bytes : Math.min(whole, room);
    });
    return claim.bytes <= this.bytes;
  }

  /** Reserves no more than the bytes that are needed, or none. Rejects with a StateError if the state fails. */
  async giveBack(claim: Claim): Promise<void> {
    const bytes = claim.bytes <= claim.chunk ? 0 : Math.ceil(claim.bytes / claim.chunk) * claim.chunk;
    // First: what is written meanwhile must fit.
    this.bytes = bytes;
    await this.#change(claim, () => bytes);
  }

  /** @param choose - returns the bytes to reserve, from those that other processes leave. */
  async #change({ limit, lastExpiry }: Claim, choose: (room: number) => number): Promise<number> {
    const { kv, clock, wall, process } = this.#settings;
    this.#key ??= `quota/${await digestSegment(this.#caller)}`;
    let bytes = 0;
    const left = Math.max(0, lastExpiry - clock.now());
    // Longer than needed, so that later bytes seldom change the ledger.
    const span = Math.ceil(left * 1.25) + margin;
    // Other programs may write to the state.
    const read = (text: string) => (jsonIn(text) ?? {}) as Ledger;
    const ttl = (ledger: Ledger) =>
      Math.max(1_000, ...Object.values(ledger).map(([, until]) => until - wall.now()));
    await change<Ledger>({ kv, key: this.#key, read, ttl }, (found) => {
      const now = wall.now();
      const { [process]: own, ...others } = live(found ?? {}, now);
      bytes = choose(limit - Object.values(others).reduce((sum, [reserved]) => sum + reserved, 0));
      const [ownBytes = 0, ownUntil = now] = own ?? [];
      const isKept = bytes === ownBytes && (bytes === 0 || ownUntil >= now + left);
      this.until = clock.now() + (isKept ? ownUntil - now : span);
      if (isKept) return found;
      return bytes === 0 ? others : { ...others, [process]: [bytes, now + span] };
    });
    return bytes;
  }
}

/** Returns the reservations that have not ended. */
function live(ledger: Ledger, now: number): Ledger {
  const isLive = (entry: unknown) =>
    Array.isArray(entry) && Number.isSafeInteger(entry[0]) && entry[0] > 0 && entry[1] > now;
  return Object.fromEntries(Object.entries(ledger).filter(([, entry]) => isLive(entry)));
}
