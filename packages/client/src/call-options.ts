import type { Meta } from '@tenon/mcp-protocol';
import { logLevelFlaw } from '@tenon/mcp-protocol/internal';
import type { RequestOptions } from '@tenon/mcp-session';
import { type OptionRule, type OptionRules, optionRules, requireOptions } from '@tenon/mcp-session/internal';

/**
 * How one call is made. `timeout` counts the silence of each request that is sent for it; `total` bounds the whole call: all
 * requests, the waits between them, and the handlers of its input requests.
 */
export interface CallOptions
  extends Pick<
    RequestOptions,
    'signal' | 'onProgress' | 'progress' | 'timeout' | 'total' | 'headers' | 'logLevel'
  > {
  /** How often the server may ask for input before it answers; the client's own bound by default. */
  readonly maxRounds?: number;
  /** Asks the server even where a response that was kept is still fresh; the answer is kept in its stead. */
  readonly fresh?: boolean;
  /** Metadata sent along, such as trace context. */
  readonly meta?: Meta;
}

const { callable, flag, notNegative, object, positive } = optionRules;

const rules: { readonly [Name in keyof Required<CallOptions>]: OptionRule } = {
  signal: {
    is: 'an AbortSignal',
    allows: (value) => typeof (value as Partial<AbortSignal> | null)?.addEventListener === 'function',
  },
  onProgress: callable,
  progress: { is: 'true or false, and what hears of progress is onProgress', allows: flag.allows },
  timeout: positive,
  total: positive,
  headers: object,
  // Its own sentence says more than a rule could.
  logLevel: { is: 'a log level', allows: () => true },
  maxRounds: notNegative,
  fresh: flag,
  meta: object,
};
const known: OptionRules = new Map(Object.entries(rules));

/**
 * Refuses options of a call that are misspelt or of the wrong type.
 * @param method - the call, as the message names it.
 * @throws TypeError that names the options there are; RangeError for a number that is out of range.
 */
export function requireCallOptions(method: string, options: CallOptions): void {
  requireOptions(method, options, known);
  if (options.logLevel === undefined) return;
  const flaw = logLevelFlaw(options.logLevel);
  if (flaw !== undefined) throw new TypeError(flaw);
}

/** Params with metadata, if there is any. */
export function withMeta<P extends object>(params: P, options: CallOptions | undefined): P {
  return options?.meta === undefined ? params : { ...params, _meta: options.meta };
}
