import type { Clock } from '@tenon/foundation';
import type {
  CallToolParams,
  InputRequiredResult,
  ParamsOf,
  RequestMethod,
  ResultOf,
  Tool,
  UnknownObject,
} from '@tenon/mcp-protocol';
import type { Middleware, RequestOptions } from '@tenon/mcp-session';
import type { Caching } from '../cache/caching.js';
import type { IconFilter } from '../icons/icons.js';
import type { Rounds } from '../input/input-rounds.js';
import type { RepeatableTools } from '../session/retry.js';
import type { Session } from '../session/session.js';
import type { NamedCall } from './call-errors.js';
import type { CallLimits } from './call-limits.js';
import type { CallOptions } from './call-options.js';
import type { ToolHeaders } from './tool-headers.js';

/** A final result. */
export type FinalResultOf<M extends RequestMethod> = Exclude<ResultOf<M>, InputRequiredResult>;

/** The request of one call, and its options. */
export interface Sent<M extends RequestMethod> {
  readonly method: M;
  /** As extensions prepared them. */
  params: ParamsOf<M>;
  readonly options: CallOptions | undefined;
  /** Ends the progress that goes on after the first answer, if it does. */
  progress?: AbortController;
}

/** One call, and the handling of its answer. */
export interface Call<M extends RequestMethod, Result> extends Sent<M> {
  /**
   * Returns the result of the call; may throw.
   * @param atOnce - true if the first request was answered, without input requests.
   */
  resultOf(answer: FinalResultOf<M>, atOnce: boolean): Result | Promise<Result>;
  /**
   * Resolves with true if it fixed the cause of the failure, so that the call is repeated once.
   * @param limits - those of the call, for requests that must be sent first.
   */
  fix?(error: unknown, limits: CallLimits): Promise<boolean>;
}

/** True for the result of a tool call without content. */
export function hasNoContent(method: RequestMethod, result: object): boolean {
  return method === 'tools/call' && (result as UnknownObject).content === undefined;
}

/** Request options that receive progress until the call has ended, if an extension may prolong it. */
export function prolonging(sent: Sent<RequestMethod>): Pick<RequestOptions, 'prolong'> {
  return {
    prolong: (result) => {
      if (!hasNoContent(sent.method, result)) return undefined;
      sent.progress = new AbortController();
      return sent.progress.signal;
    },
  };
}

/** A call with a result that may have the result type of an extension. */
export interface OpenCall extends NamedCall {
  readonly options: CallOptions | undefined;
  readonly session: Session;
  readonly limits: CallLimits;
}

/** Returns final results for the results that extensions handle. */
export interface OpenResults {
  /** Returns the final result of a call: the given one, unless an extension handles it. */
  final(result: UnknownObject, call: OpenCall): Promise<UnknownObject>;
  /** True for a tool call that is cancelled without its request: `abandon` receives the result. */
  outlasts(params: object, session: Session): boolean;
  /** Passes the result of a call that was cancelled before its answer to the extension that handles it. */
  abandon(result: UnknownObject, call: Pick<OpenCall, 'method' | 'params' | 'session' | 'options'>): void;
}

/** The settings of a tool call, and the session that it is sent in. */
export interface PreparedCall {
  readonly options: CallOptions | undefined;
  readonly session: Session;
}

/** Changes the params of tool calls before they are sent, and decides whether one is sent again. */
export interface CallPreparation {
  /** Returns the params to send. May throw. */
  prepare(params: CallToolParams, call: PreparedCall): CallToolParams;
  /** True if a failed call may lack params: of a tool that is not stored, for all that is known. */
  mayLackParams(params: CallToolParams, call: PreparedCall): boolean;
  /** True if the call may be sent again after its answer was lost. */
  mayRepeat(params: CallToolParams, call: PreparedCall): boolean;
  /** True if the tool is among the stored ones. */
  knows(name: string): boolean;
  /** Stores the tools of a page. */
  remember(tools: readonly Tool[]): void;
  /** Drops all: the server's tools have changed. */
  forget(): void;
}

/** The dependencies of calls, besides a session. */
export interface CallerParts {
  readonly clock: Clock;
  /** Milliseconds allowed for a call without the option `total`. */
  readonly total: number;
  /** The controllers that stop the running calls; the reason is the error of the call. */
  readonly running: Set<AbortController>;
  readonly rounds: Rounds;
  /** Undefined for a client without middleware. */
  readonly middleware: readonly Middleware[] | undefined;
  /** Returns the error for the caller of a call. */
  errorForCaller(error: unknown, session: Session): unknown;
  /** Undefined for a client without extensions. */
  readonly results: OpenResults | undefined;
  /** Undefined if no extension changes the params of tool calls. */
  readonly preparation: CallPreparation | undefined;
  readonly toolHeaders: ToolHeaders;
  readonly repeatableTools: RepeatableTools;
  /** Undefined without a cache. */
  readonly caching: Caching | undefined;
  readonly icons: IconFilter;
}
