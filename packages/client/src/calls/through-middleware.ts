import type { RequestMethod, UnknownObject } from '@tenon/mcp-protocol';
import type { Middleware } from '@tenon/mcp-session';
import { runThrough } from '@tenon/mcp-session/internal';
import type { Session } from '../session/session.js';
import type { Call, FinalResultOf } from './call.js';

/** A call, and the way to make it. */
export interface WrappedCall<M extends RequestMethod, Result> {
  readonly call: Call<M, Result>;
  readonly session: Session;
  /** Makes the call without middleware: all its requests, until its final result. */
  perform(call: Call<M, FinalResultOf<M>>): Promise<FinalResultOf<M>>;
}

/** Runs a call through the middleware of the client: once, however many requests it takes. */
export async function throughMiddleware<M extends RequestMethod, Result>(
  middleware: readonly Middleware[],
  { call, session, perform }: WrappedCall<M, Result>,
): Promise<Result> {
  const { method, params, options } = call;
  let isAtOnce = true;
  const resultOf = (answer: FinalResultOf<M>, atOnce: boolean): FinalResultOf<M> => {
    isAtOnce = atOnce;
    return answer;
  };
  const seen = {
    direction: 'outbound',
    method,
    params: params as UnknownObject,
    revision: session.revision,
    request: undefined,
    state: options?.state,
  } as const;
  const result = await runThrough(middleware, seen, (changed) => {
    const fix = call.fix?.bind(call);
    const inner = { method, params: changed as typeof params, options, resultOf, ...(fix && { fix }) };
    return perform(inner) as Promise<object> as Promise<UnknownObject>;
  });
  return call.resultOf(result as object as FinalResultOf<M>, isAtOnce);
}
