import type { Clock } from '@tenon/mcp-protocol';
import { type OptionRule, optionRules, requireOptions } from '@tenon/mcp-session/internal';

/** Why a value is not kept any more. */
export type HandleEnd =
  /** `close` or `closeAll` was called. */
  | 'closed'
  /** Its time was over. */
  | 'expired'
  /** There were too many, and it was used longest ago. */
  | 'displaced';

/** What handles stand for, and how long they last. */
export interface HandleOptions<T> {
  /** What handles begin with, such as `bsk`: 1 to 16 small letters and digits. */
  readonly prefix: string;
  /** What one stands for, in a word or two for the model, such as `basket`. */
  readonly name: string;
  /** The tool that opens one: errors send the model there. */
  readonly openedBy: string;
  /** Milliseconds a handle lasts from when it was opened, used or not. Default 24 hours. */
  readonly lifetime?: number;
  /** Milliseconds it lasts without being used. Default: as long as `lifetime`. */
  readonly idle?: number;
  /** Handles open at the same time; past it the one used longest ago ends. Default 10,000. */
  readonly limit?: number;
  /** The same for one caller, so that nobody displaces others; callers without a name are one. Default 1,000. */
  readonly perCaller?: number;
  /** Frees what the value holds, once: it was closed, its time is over, or it gave way to others. */
  readonly onEnd?: (value: T, why: HandleEnd) => void | Promise<void>;
  /** Hears of what `onEnd` throws. Default: the console's error stream. */
  readonly onError?: (error: unknown, where: string) => void;
  /** Time, for tests. */
  readonly clock?: Clock;
}

/** Options with their defaults. */
export interface HandleSettings<T> {
  readonly prefix: string;
  readonly name: string;
  readonly openedBy: string;
  readonly lifetime: number;
  readonly idle: number;
  readonly limit: number;
  readonly perCaller: number;
  /** Milliseconds between two looks for what is over. */
  readonly sweepEvery: number;
  readonly onEnd: HandleOptions<T>['onEnd'];
}

const day = 86_400_000;

/** For what has a message of its own. */
const anything: OptionRule = { is: 'anything', allows: () => true };

const rules: { readonly [Name in keyof Required<HandleOptions<unknown>>]: OptionRule } = {
  prefix: anything,
  name: anything,
  openedBy: anything,
  lifetime: anything,
  idle: anything,
  limit: anything,
  perCaller: anything,
  onEnd: optionRules.callable,
  onError: optionRules.callable,
  clock: optionRules.object,
};

/**
 * @throws TypeError for text that cannot stand in a handle or a sentence, and for options that do not exist; RangeError
 * for a bound below one.
 */
export function checkedHandleOptions<T>(options: HandleOptions<T>): HandleSettings<T> {
  requireOptions('createHandles', options as HandleOptions<unknown>, rules);
  const { prefix, name, openedBy, lifetime = day, limit = 10_000, perCaller = 1_000, onEnd } = options;
  const { idle = lifetime } = options;
  if (typeof prefix !== 'string' || !/^[a-z0-9]{1,16}$/.test(prefix)) {
    throw new TypeError(`Handles need a prefix of 1 to 16 small letters and digits, not ${shown(prefix)}.`);
  }
  for (const [key, value] of Object.entries({ name, openedBy })) {
    if (typeof value !== 'string' || value.trim() === '')
      throw new TypeError(`Handles "${prefix}" need "${key}": a text, not ${shown(value)}.`);
  }
  for (const [key, value] of Object.entries({ lifetime, idle, limit, perCaller })) {
    if (typeof value !== 'number' || !(value >= 1) || value === Number.POSITIVE_INFINITY)
      throw new RangeError(`Handles "${prefix}": ${key} must be a finite number, 1 or more, not ${value}.`);
  }
  const sweepEvery = Math.max(1, Math.min(lifetime, idle) / 8);
  return { prefix, name, openedBy, lifetime, idle, limit, perCaller, sweepEvery, onEnd };
}

/** The sentences that tell a model how long a handle lasts. */
export function retentionOf(settings: Omit<HandleSettings<unknown>, 'onEnd'>): string {
  const { name, lifetime, idle, perCaller } = settings;
  const unused = `A ${name} expires ${inWords(idle)} after it was last used`;
  const ends =
    idle < lifetime
      ? `${unused}, and ${inWords(lifetime)} after it was opened at the latest.`
      : `A ${name} expires ${inWords(lifetime)} after it was opened.`;
  return `${ends} Of more than ${perCaller.toLocaleString('en-US')}, the one used longest ago ends.`;
}

const units: readonly (readonly [ms: number, name: string])[] = [
  [day, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
  [1_000, 'second'],
];

/** A time in the largest unit of which it is a whole number, but one day is 24 hours. */
function inWords(ms: number): string {
  const [size, name] = units.find(([unit]) => ms % unit === 0 && (ms > unit || unit < day)) ?? fitting(ms);
  const count = Math.max(1, Math.round(ms / size));
  return `${count} ${name}${count === 1 ? '' : 's'}`;
}

function fitting(ms: number): readonly [number, string] {
  return units.find(([unit]) => unit < day && ms >= unit) ?? [1_000, 'second'];
}

function shown(value: unknown): string {
  return JSON.stringify(value) ?? String(value);
}
