import {
  type Clock,
  type OptionRule,
  optionRules,
  requireOptions,
  sameRule,
  systemClock,
} from '@tenon/foundation';
import { BoundedLog } from '../bounded.js';
import { seededRandom } from '../random.js';

/** A frame that a fault may affect. */
export interface PassingFrame {
  /** Position among all frames of the same direction, from 1; later connections of a target continue the count. */
  readonly number: number;
  /** The parsed frame. */
  readonly message: unknown;
}

/**
 * The frames a fault affects: a share of them (0 to 1, drawn by the seed), those with the given numbers, or those for which
 * a function returns true.
 */
export type FaultSchedule = number | readonly number[] | ((frame: PassingFrame) => boolean);

/** Faults of the frames in one direction. */
export interface DirectionFaults {
  /** Drops the frame. */
  readonly drop?: FaultSchedule;
  /** Delivers the frame twice. */
  readonly duplicate?: FaultSchedule;
  /** Damages a part of the frame's text, so that it is not valid JSON. */
  readonly corrupt?: FaultSchedule;
  /** Delivers the frame after the one that follows it, or after `reorderWait` if none follows. */
  readonly reorder?: FaultSchedule;
  /** Delays the frame, and all frames behind it, by `delayMs`. */
  readonly delay?: FaultSchedule;
  /** The delay in milliseconds: a number, or a minimum and a maximum. Default 10. */
  readonly delayMs?: number | readonly [least: number, most: number];
  /** Milliseconds a frame waits for another one to overtake it. Default 10. */
  readonly reorderWait?: number;
  /** Closes the connection instead of delivering the frame. */
  readonly close?: FaultSchedule;
}

/** The faults of a connection. The same plan affects the same frames if they come in the same order. */
export interface FaultPlan {
  /** Seed of the random choices. Default 1. */
  readonly seed?: number;
  /** Faults of frames this end sends. */
  readonly outgoing?: DirectionFaults;
  /** Faults of frames this end receives. */
  readonly incoming?: DirectionFaults;
  /**
   * Delivers bytes in pieces of 1 to this many, in both directions, so that frames and characters are cut anywhere. Needs a
   * transport of bytes: `connectTest` with the transport `stdio`.
   */
  readonly split?: number;
  /** Times the delays. Default: the real clock. */
  readonly clock?: Clock;
}

export type FaultKind = 'drop' | 'duplicate' | 'corrupt' | 'reorder' | 'delay' | 'close';
export type FaultDirection = 'outgoing' | 'incoming';

/** A fault that occurred. */
export interface InjectedFault extends PassingFrame {
  readonly fault: FaultKind;
  readonly direction: FaultDirection;
}

const mostFaults = 10_000;
const kinds = ['close', 'drop', 'corrupt', 'duplicate', 'delay', 'reorder'] as const;

/** Draws the faults of the frames in one direction. */
export class FaultDraws {
  readonly faults: DirectionFaults;
  readonly clock: Clock;
  readonly #direction: FaultDirection;
  readonly #random: () => number;
  readonly #occurred: BoundedLog<InjectedFault>;
  #count = 0;

  constructor(plan: FaultPlan, direction: FaultDirection, occurred: BoundedLog<InjectedFault>) {
    this.faults = plan[direction] ?? {};
    this.clock = plan.clock ?? systemClock;
    this.#direction = direction;
    this.#random = seededRandom(plan.seed ?? 1, direction === 'outgoing' ? 1 : 2);
    this.#occurred = occurred;
  }

  /**
   * Returns the faults of the next frame.
   * @param isHeldUp - other frames wait ahead of this one, so it cannot wait to be overtaken
   */
  next(message: unknown, isHeldUp: boolean): ReadonlySet<FaultKind> {
    const frame = { number: ++this.#count, message };
    const drawn = new Set<FaultKind>();
    for (const fault of kinds) {
      const when = this.faults[fault];
      // Always drawn, even if another fault occurs already: adding a fault to a plan does not move the others.
      if (when === undefined || !this.#affects(when, frame)) continue;
      if (drawn.has('close') || drawn.has('drop')) continue;
      if (fault === 'reorder' && (isHeldUp || drawn.has('delay'))) continue;
      drawn.add(fault);
      this.#occurred.add({ ...frame, fault, direction: this.#direction });
    }
    return drawn;
  }

  /** Milliseconds to delay a frame. */
  delay(): number {
    const { delayMs = 10 } = this.faults;
    if (typeof delayMs === 'number') return delayMs;
    const [least, most] = delayMs;
    return least + (most - least) * this.#random();
  }

  /** Position of the damage in a frame, as a share of its length from 0 up to 1. */
  place(): number {
    return this.#random();
  }

  #affects(when: FaultSchedule, frame: PassingFrame): boolean {
    if (typeof when === 'number') return this.#random() < when;
    return typeof when === 'function' ? when(frame) : when.includes(frame.number);
  }
}

/** The draws of one plan for both directions, and the faults that occurred. */
export class Faults {
  readonly outgoing: FaultDraws;
  readonly incoming: FaultDraws;
  readonly #occurred = new BoundedLog<InjectedFault>(mostFaults);

  /**
   * @throws RangeError if a share is outside 0 to 1, a frame number is below 1 or a time is invalid; TypeError if a fault
   * does not exist
   */
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
    for (const direction of ['outgoing', 'incoming'] as const) {
      requireOptions(`faults.${direction}`, plan[direction] ?? {}, directionRules);
      requireSense(plan[direction] ?? {});
    }
    this.outgoing = new FaultDraws(plan, 'outgoing', this.#occurred);
    this.incoming = new FaultDraws(plan, 'incoming', this.#occurred);
  }

  /** The newest 10,000 faults that occurred, in order. */
  get occurred(): readonly InjectedFault[] {
    return this.#occurred.entries;
  }
}

const aSchedule: OptionRule = {
  is: 'a share, a list of numbers of frames, or a function',
  allows: (value) =>
    ['number', 'function'].includes(typeof value) ||
    (Array.isArray(value) && value.every((number) => typeof number === 'number')),
};

const directionRules: { readonly [Name in keyof Required<DirectionFaults>]: OptionRule } = {
  ...sameRule(aSchedule, ...kinds),
  delayMs: {
    is: 'milliseconds, or the least and the most of them',
    allows: (value) => typeof value === 'number' || isSpan(value),
  },
  reorderWait: { is: 'milliseconds', allows: (value) => typeof value === 'number' },
};

function isSpan(value: unknown): boolean {
  return Array.isArray(value) && value.length === 2 && value.every((ms) => typeof ms === 'number');
}

function requireSense(faults: DirectionFaults): void {
  for (const kind of kinds) {
    const when = faults[kind];
    if (typeof when === 'number' && !(when >= 0 && when <= 1)) {
      throw new RangeError(
        `${kind}: ${when} is not a share from 0 to 1. For the frame of that number write [${when}].`,
      );
    }
    if (Array.isArray(when) && when.some((number) => !Number.isSafeInteger(number) || number < 1)) {
      throw new RangeError(`${kind}: numbers of frames start at 1, not [${when.join(', ')}].`);
    }
  }
  const { delayMs = 0, reorderWait = 0 } = faults;
  for (const ms of [delayMs, reorderWait].flat()) {
    if (!(ms >= 0)) throw new RangeError(`A delay is a number of milliseconds, not ${ms}.`);
  }
  const [least, most] = [delayMs].flat() as [number, number?];
  if (most !== undefined && least > most) throw new RangeError(`delayMs: ${least} is more than ${most}.`);
}
