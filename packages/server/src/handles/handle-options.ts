import {
  type Clock,
  constantsOf,
  type OptionRule,
  optionRules,
  requireOptions,
  sameRule,
} from '@tenon/foundation';
import type { Principal } from '@tenon/mcp-protocol';
import { stateRule } from '@tenon/mcp-protocol/internal';
import type { State } from '@tenon/mcp-state';
import { ToolError } from '../results/tool-result.js';

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
  /** Milliseconds from opening until a handle expires, used or not. Less if values are needed for a short time. Default: 24 hours. */
  readonly lifetime?: number;
  /** Milliseconds without use until a handle expires. Less if abandoned values hold much. Default: `lifetime`. */
  readonly idle?: number;
  /**
   * The most open handles of one caller, so that callers cannot displace each other; unauthenticated callers count as one. Of more, the one used longest ago ends, and with
   * `state` the one opened longest ago. Default: 1,000.
   */
  readonly perCaller?: number;
  /** Frees the resources of a value, called once: the handle was closed, expired or displaced. Not with `state`, which deletes expired values itself. */
  readonly onEnd?: (value: T, why: HandleEnd) => void | Promise<void>;
  /** Receives errors of `onEnd`. Default: the console's error stream. */
  readonly onError?: (error: unknown, where: string) => void;
  /** State that all processes of the server share, such as `redisState(url)`: values are JSON. Default: values of any kind in this process. */
  readonly state?: State;
  /** The clock, for tests. With `state`, milliseconds since 1970. */
  readonly clock?: Pick<Clock, 'now'>;
}

/** The caller of a handle; a handler's context fits. */
export interface HandleCaller {
  readonly auth?: Principal | undefined;
}

/** Values that tools keep between calls, under opaque names that only the caller who opened them can use. Made by {@link createHandles}. */
export interface Handles<T> {
  /** A sentence about the lifetime of a handle, for the description of the tool that opens it. */
  readonly retention: string;
  /**
   * Stores a value for the caller.
   * @returns its handle: the prefix and 130 random bits. In a handler with input requests, open it in `ctx.once`.
   * @throws with `state` RpcError overloaded if the state cannot be reached, as all methods; rate limited if the caller has used up its share of the state.
   */
  open(caller: HandleCaller, value: T): Promise<string>;
  /**
   * Returns the value of a handle, with `state` a copy of it. Counts as a use.
   * @throws ToolError, the same for a handle that is unknown, expired, closed or of another caller; it says what to do.
   */
  get(caller: HandleCaller, id: string): Promise<T>;
  /**
   * Replaces the value by the result of a function, which is called again if another process was faster. Counts as a use.
   * @returns the new value.
   * @throws ToolError like {@link get}.
   */
  update(caller: HandleCaller, id: string, change: (value: T) => T): Promise<T>;
  /**
   * Closes a handle, and calls `onEnd`.
   * @throws ToolError like {@link get}.
   */
  close(caller: HandleCaller, id: string): Promise<void>;
  /** Closes every handle of this process, for example at the end of the program. With `state` it does nothing: other processes have the handles as well. */
  closeAll(): void;
  /** Closes the expired handles. Uses of handles also do so from time to time; call it if there may be no use for long. With `state` it does nothing. */
  sweep(): void;
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
  ...sameRule(optionRules.anything, 'prefix', 'name', 'openedBy', 'lifetime', 'idle', 'perCaller'),
  ...sameRule(optionRules.callable, 'onEnd', 'onError'),
  state: stateRule,
  clock: { is: 'a clock', allows: (value) => typeof (value as Partial<Clock> | null)?.now === 'function' },
};

/** Options of handles that are closed by this process alone. */
const ofOneProcess = ['onEnd', 'onError'] as const;

/** The most open handles of one process; of more, the least recently used one is closed. */
const bounds = { limit: 10_000 };

/**
 * @throws TypeError if a text is not allowed in a handle or a sentence, or an option is unknown; RangeError
 * if a limit is below one.
 */
export function checkedHandleOptions<T>(options: HandleOptions<T>): HandleSettings<T> {
  requireOptions('createHandles', options as HandleOptions<unknown>, rules);
  const unused = options.state && ofOneProcess.find((name) => options[name] !== undefined);
  if (unused !== undefined)
    throw new TypeError(
      `createHandles: with state there is no ${unused}, because the state deletes values itself.`,
    );
  const { prefix, name, openedBy, lifetime = day, perCaller = 1_000, onEnd } = options;
  const { limit } = constantsOf(bounds, options);
  const { idle = lifetime } = options;
  if (typeof prefix !== 'string' || !/^[a-z0-9]{1,16}$/.test(prefix)) {
    throw new TypeError(`Handles need a prefix of 1 to 16 small letters and digits, not ${shown(prefix)}.`);
  }
  for (const [key, value] of Object.entries({ name, openedBy })) {
    if (typeof value !== 'string' || value.trim() === '')
      throw new TypeError(`Handles "${prefix}" need "${key}": a text, not ${shown(value)}.`);
  }
  for (const [key, value] of Object.entries({ lifetime, idle, perCaller })) {
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

/** Unauthenticated callers share one identity: any of them can use a handle they know. */
export function ownerOf({ auth }: HandleCaller): string {
  return auth === undefined ? '' : JSON.stringify([auth.issuer ?? null, auth.id]);
}

/** Returns the error for a handle that is unknown, expired, closed or of another caller. */
export function unknownHandle({
  name,
  openedBy,
}: Pick<HandleSettings<unknown>, 'name' | 'openedBy'>): ToolError {
  return new ToolError(`This ${name} is unknown or has expired: call ${openedBy} to get another one.`);
}
