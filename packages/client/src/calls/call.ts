import type {
  InputRequiredResult,
  ParamsOf,
  RequestMethod,
  ResultOf,
  UnknownObject,
} from '@tenon/mcp-protocol';
import type { RequestOptions } from '@tenon/mcp-session';
import type { CallOptions } from './call-options.js';
import type { WholeCall } from './whole-call.js';

/** A final result. */
export type FinalResultOf<M extends RequestMethod> = Exclude<ResultOf<M>, InputRequiredResult>;

/** The request of one call, and its options. */
export interface Sent<M extends RequestMethod> {
  readonly method: M;
  /** As extensions prepared them, and with an idempotency key once the call is sent to a server that keeps a journal. */
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
  judge(answer: FinalResultOf<M>, atOnce: boolean): Result | Promise<Result>;
  /**
   * Resolves with true if it fixed the cause of the failure, so that the call is repeated once.
   * @param whole - the call and its limits, for requests that must be sent first.
   */
  fix?(error: unknown, whole: WholeCall): Promise<boolean>;
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
