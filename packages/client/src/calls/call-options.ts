import { type OptionRule, type OptionRules, optionRules, requireOptions } from '@tenon/foundation';
import type { Meta } from '@tenon/mcp-protocol';
import { logLevelProblem } from '@tenon/mcp-protocol/internal';
import type { RequestOptions } from '@tenon/mcp-session';

/**
 * Options of one call. `timeout` limits the silence of each request that is sent for it; `total` limits the whole call: all
 * requests, the waits between them, and the handlers of its input requests.
 */
export interface CallOptions
  extends Pick<
    RequestOptions,
    'signal' | 'onProgress' | 'progress' | 'timeout' | 'total' | 'headers' | 'logLevel'
  > {
  /** The most rounds of input requests before the answer. Default: the limit of the client. */
  readonly maxRounds?: number;
  /** Sends the request even if a stored response is fresh; the answer replaces it. */
  readonly fresh?: boolean;
  /**
   * Sends the request once more if its answer is lost with the connection, though the server may have handled it. Default:
   * true, but for a tool call only if the listed annotations of the tool have `readOnlyHint` or `idempotentHint`, or if an extension
   * allows it, such as `@tenon/mcp-idempotency`.
   */
  readonly idempotent?: boolean;
  /** Metadata of the request, such as trace context. */
  readonly meta?: Meta;
  /**
   * Values for the middleware of this client, which has them as `call.state`, and for the handlers of the input requests in results of the call
   * (`context.state`). They are not sent.
   */
  readonly state?: object;
}

const { callable, flag, notNegative, object, positive } = optionRules;

const rules: { readonly [Name in keyof Required<CallOptions>]: OptionRule } = {
  signal: {
    is: 'an AbortSignal',
    allows: (value) => typeof (value as Partial<AbortSignal> | null)?.addEventListener === 'function',
  },
  onProgress: callable,
  progress: { is: 'true or false; the callback for progress is onProgress', allows: flag.allows },
  timeout: positive,
  total: positive,
  headers: object,
  // Its own error text is more precise than a rule.
  logLevel: { is: 'a log level', allows: () => true },
  maxRounds: notNegative,
  fresh: flag,
  idempotent: flag,
  meta: object,
  state: object,
};
const known: OptionRules = new Map(Object.entries(rules));

/**
 * Rejects options of a call that are misspelt or have the wrong type.
 * @param method - the name of the call, for the message.
 * @throws TypeError with the list of options; RangeError for a number that is out of range.
 */
export function requireCallOptions(method: string, options: CallOptions): void {
  requireOptions(method, options, known);
  if (options.logLevel === undefined) return;
  const problem = logLevelProblem(options.logLevel);
  if (problem !== undefined) throw new TypeError(problem);
}

/** Returns the params with the metadata, if there is any. */
export function withMeta<P extends object>(params: P, options: CallOptions | undefined): P {
  return options?.meta === undefined ? params : { ...params, _meta: options.meta };
}
