import { type Clock, type OptionRule, optionRules, requireOptions, sameRule } from '@tenon/foundation';

/** The reason for the end of a handle. */
export type HandleEnd =
  /** `close` or `closeAll` was called. */
  | 'closed'
  /** The handle expired. */
  | 'expired'
  /** There were too many handles, and this one was the least recently used. */
  | 'displaced';

/** Options of handles. */
export interface HandleOptions<T> {
  /** The prefix of handles, such as `bsk`: 1 to 16 lower-case letters and digits. */
  readonly prefix: string;
  /** The name of the value for the model, in one or two words, such as `basket`. */
  readonly name: string;
  /** The tool that opens a handle: errors name it to the model. */
  readonly openedBy: string;
  /** Milliseconds from opening until a handle expires, used or not. Default: 24 hours. */
  readonly lifetime?: number;
  /** Milliseconds without use until a handle expires. Default: `lifetime`. */
  readonly idle?: number;
  /** The most open handles; if there are more, the least recently used one is closed. Default: 10,000. */
  readonly limit?: number;
  /** The most open handles of one caller, so that callers cannot displace each other; unauthenticated callers count as one. Default: 1,000. */
  readonly perCaller?: number;
  /** Frees the resources of a value, called once: the handle was closed, expired or displaced. */
  readonly onEnd?: (value: T, why: HandleEnd) => void | Promise<void>;
  /** Receives errors of `onEnd`. Default: the console's error stream. */
  readonly onError?: (error: unknown, where: string) => void;
  /** The clock, for tests. */
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
  /** Milliseconds between two sweeps of expired handles. */
  readonly sweepEvery: number;
  readonly onEnd: HandleOptions<T>['onEnd'];
}

const day = 86_400_000;

const rules: { readonly [Name in keyof Required<HandleOptions<unknown>>]: OptionRule } = {
  // These have a message of their own.
  ...sameRule(optionRules.anything, 'prefix', 'name', 'openedBy', 'lifetime', 'idle', 'limit', 'perCaller'),
  ...sameRule(optionRules.callable, 'onEnd', 'onError'),
  clock: optionRules.object,
};

/**
 * @throws TypeError if a text is not allowed in a handle or a sentence, or an option is unknown; RangeError
 * if a limit is below one.
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

/** Returns the sentences for a model about the lifetime of a handle. */
export function retentionOf(
  settings: Omit<HandleSettings<unknown>, 'onEnd'>,
  displaced: 'used' | 'opened' = 'used',
): string {
  const { name, lifetime, idle, perCaller } = settings;
  const unused = `A ${name} expires ${inWords(idle)} after it was last used`;
  const ends =
    idle < lifetime
      ? `${unused}, and ${inWords(lifetime)} after it was opened at the latest.`
      : `A ${name} expires ${inWords(lifetime)} after it was opened.`;
  return `${ends} Of more than ${perCaller.toLocaleString('en-US')}, the one ${displaced} longest ago ends.`;
}

const units: readonly (readonly [ms: number, name: string])[] = [
  [day, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
  [1_000, 'second'],
];

/** Returns a time in the largest unit without a fraction, but one day is 24 hours. */
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
