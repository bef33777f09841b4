import { type Clock, systemClock } from '@tenon/mcp-session';
import { type OptionRule, optionRules, requireOptions } from '@tenon/mcp-session/internal';
import { BoundedLog } from './bounded-log.js';
import { seededRandom } from './random.js';

/** A frame that a fault may strike. */
export interface PassingFrame {
  /** Its place among all that went the same way, counted from 1; a target's connections are counted on. */
  readonly number: number;
  /** The frame parsed. */
  readonly message: unknown;
}

/**
 * Which frames a fault strikes: a share of them (0 to 1, drawn by the seed), those with the given numbers, or those a
 * function picks.
 */
export type When = number | readonly number[] | ((frame: PassingFrame) => boolean);

/** What happens to frames that go one way. */
export interface LaneFaults {
  /** The frame never comes. */
  readonly drop?: When;
  /** The frame comes twice. */
  readonly duplicate?: When;
  /** The frame comes with a part of its text spoiled, so that it is no JSON any more. */
  readonly corrupt?: When;
  /** The frame comes after the one that follows it, or `reorderWait` later when none does. */
  readonly reorder?: When;
  /** The frame, and all that follow, come later: in `delayMs`. */
  readonly delay?: When;
  /** How late, in milliseconds: a number, or the least and the most. Default 10. */
  readonly delayMs?: number | readonly [least: number, most: number];
  /** How long a frame waits for one to overtake it, in milliseconds. Default 10. */
  readonly reorderWait?: number;
  /** The connection breaks instead of carrying the frame. */
  readonly close?: When;
}

/** What goes wrong on a connection. The same plan strikes the same frames each time they come in the same order. */
export interface FaultPlan {
  /** Names the draws of shares and of what is spoiled. Default 1. */
  readonly seed?: number;
  /** What happens to frames this end sends. */
  readonly outgoing?: LaneFaults;
  /** What happens to frames this end receives. */
  readonly incoming?: LaneFaults;
  /**
   * Bytes come in pieces of 1 to this many, both ways, so that frames and characters are cut anywhere. Needs a carrier of
   * bytes: `connectTest` with the transport `stdio`.
   */
  readonly split?: number;
  /** Runs delays. Default: the real clock. */
  readonly clock?: Clock;
}

export type FaultKind = 'drop' | 'duplicate' | 'corrupt' | 'reorder' | 'delay' | 'close';
export type LaneName = 'outgoing' | 'incoming';

/** A fault that came about. */
export interface Strike extends PassingFrame {
  readonly fault: FaultKind;
  readonly lane: LaneName;
}

const mostStrikes = 10_000;
const kinds = ['close', 'drop', 'corrupt', 'duplicate', 'delay', 'reorder'] as const;

/** Draws what strikes each frame that goes one way. */
export class FaultDraws {
  readonly faults: LaneFaults;
  readonly clock: Clock;
  readonly #lane: LaneName;
  readonly #random: () => number;
  readonly #strikes: BoundedLog<Strike>;
  #count = 0;

  constructor(plan: FaultPlan, lane: LaneName, strikes: BoundedLog<Strike>) {
    this.faults = plan[lane] ?? {};
    this.clock = plan.clock ?? systemClock;
    this.#lane = lane;
    this.#random = seededRandom(plan.seed ?? 1, lane === 'outgoing' ? 1 : 2);
    this.#strikes = strikes;
  }

  /**
   * What strikes the next frame.
   * @param isHeldUp - others wait ahead of it, so that it cannot be made to wait for the next one.
   */
  next(message: unknown, isHeldUp: boolean): ReadonlySet<FaultKind> {
    const frame = { number: ++this.#count, message };
    const struck = new Set<FaultKind>();
    for (const fault of kinds) {
      const when = this.faults[fault];
      // Drawn whether or not another fault strikes already: one more fault in a plan moves no other.
      if (when === undefined || !this.#strikesNow(when, frame)) continue;
      if (struck.has('close') || struck.has('drop')) continue;
      if (fault === 'reorder' && (isHeldUp || struck.has('delay'))) continue;
      struck.add(fault);
      this.#strikes.add({ ...frame, fault, lane: this.#lane });
    }
    return struck;
  }

  /** Milliseconds a frame is late. */
  delay(): number {
    const { delayMs = 10 } = this.faults;
    if (typeof delayMs === 'number') return delayMs;
    const [least, most] = delayMs;
    return least + (most - least) * this.#random();
  }

  /** Where a frame is spoiled: a part of its length from 0 up to 1. */
  place(): number {
    return this.#random();
  }

  #strikesNow(when: When, frame: PassingFrame): boolean {
    if (typeof when === 'number') return this.#random() < when;
    return typeof when === 'function' ? when(frame) : when.includes(frame.number);
  }
}

/** The draws of one plan for both ways, and what came of them. */
export class Faults {
  readonly outgoing: FaultDraws;
  readonly incoming: FaultDraws;
  readonly #strikes = new BoundedLog<Strike>(mostStrikes);

  /** @throws RangeError for a share outside 0 to 1, a number below 1 or a time that is none; TypeError for no such fault. */
  constructor(plan: FaultPlan) {
    const { object, positive } = optionRules;
    const seed: OptionRule = { is: 'a finite number', allows: Number.isFinite };
    requireOptions('faults', plan, {
      seed,
      outgoing: object,
      incoming: object,
      split: positive,
      clock: object,
    });
    for (const lane of ['outgoing', 'incoming'] as const) {
      requireOptions(`faults.${lane}`, plan[lane] ?? {}, laneRules);
      requireSense(plan[lane] ?? {});
    }
    this.outgoing = new FaultDraws(plan, 'outgoing', this.#strikes);
    this.incoming = new FaultDraws(plan, 'incoming', this.#strikes);
  }

  /** What struck so far, in order; the newest 10,000. */
  get strikes(): readonly Strike[] {
    return this.#strikes.entries;
  }
}

const aWhen: OptionRule = {
  is: 'a share, a list of numbers of frames, or a function',
  allows: (value) =>
    ['number', 'function'].includes(typeof value) ||
    (Array.isArray(value) && value.every((number) => typeof number === 'number')),
};

const laneRules: { readonly [Name in keyof Required<LaneFaults>]: OptionRule } = {
  drop: aWhen,
  duplicate: aWhen,
  corrupt: aWhen,
  reorder: aWhen,
  delay: aWhen,
  close: aWhen,
  delayMs: {
    is: 'milliseconds, or the least and the most of them',
    allows: (value) => typeof value === 'number' || isSpan(value),
  },
  reorderWait: { is: 'milliseconds', allows: (value) => typeof value === 'number' },
};

function isSpan(value: unknown): boolean {
  return Array.isArray(value) && value.length === 2 && value.every((ms) => typeof ms === 'number');
}

function requireSense(faults: LaneFaults): void {
  for (const kind of kinds) {
    const when = faults[kind];
    if (typeof when === 'number' && !(when >= 0 && when <= 1)) {
      throw new RangeError(
        `${kind}: ${when} is no share from 0 to 1; for the frame of that number write [${when}].`,
      );
    }
    if (Array.isArray(when) && when.some((number) => !Number.isSafeInteger(number) || number < 1)) {
      throw new RangeError(`${kind}: frames are counted from 1, not [${when.join(', ')}].`);
    }
  }
  const { delayMs = 0, reorderWait = 0 } = faults;
  for (const ms of [delayMs, reorderWait].flat()) {
    if (!(ms >= 0)) throw new RangeError(`A delay is a number of milliseconds, not ${ms}.`);
  }
  const [least, most] = [delayMs].flat() as [number, number?];
  if (most !== undefined && least > most) throw new RangeError(`delayMs: ${least} is more than ${most}.`);
}
