import type { RequestMethod } from '@tenon/mcp-protocol';
import type { BatchCall } from '@tenon/mcp-session';
import { requireCapability, type Session } from '../session/session.js';
import type { FinalResultOf } from './call.js';
import { type CallOptions, requireCallOptions, withMeta } from './call-options.js';
import type { Caller } from './caller.js';

/** Requests to send together. */
export type BatchCalls = readonly { [M in RequestMethod]: BatchCall<M> }[RequestMethod][];

/** The result of each request, in their order. */
export type BatchResults<Calls extends BatchCalls> = {
  -readonly [K in keyof Calls]: Promise<FinalResultOf<Calls[K]['method']>>;
};

/** Sends requests as one batch in the revision with batches, one by one elsewhere and through middleware. */
export function sendBatch<const Calls extends BatchCalls>(
  caller: Caller,
  calls: Calls,
  options: CallOptions | undefined,
): BatchResults<Calls> {
  if (options !== undefined) requireCallOptions('batch', options);
  const { session } = caller.supervisor;
  const results =
    session?.revision.rules.batching === true && !caller.hasMiddleware
      ? sendTogether(caller, session, { calls, options })
      : calls.map((call) => caller.request(call.method, call.params, options));
  // A caller may await one of them first: the others must not become unhandled rejections.
  for (const result of results) result.catch(() => undefined);
  return results as BatchResults<Calls>;
}

function sendTogether(
  caller: Caller,
  session: Session,
  { calls, options }: { calls: BatchCalls; options: CallOptions | undefined },
): Promise<unknown>[] {
  const missing = calls.map(({ method }) => {
    try {
      requireCapability(session, method);
      return undefined;
    } catch (error) {
      return error;
    }
  });
  const allowed = calls.filter((_, index) => missing[index] === undefined);
  const sent = session.endpoint.batch(
    allowed.map((call) => ({ ...call, params: withMeta(call.params, options) })),
    { ...options, timeoutOption: 'timeout' },
  );
  return missing.map((error, index) => {
    if (error !== undefined) return Promise.reject(error);
    const { method, params } = calls[index] as BatchCalls[number];
    return (sent.shift() as Promise<object>).then(
      (result) => caller.batched({ method, params, options }, session, result as never),
      (failure: unknown) => {
        if (!caller.mayRepeat(session, { method, params, options }, failure)) throw failure;
        return caller.request(method, params, options);
      },
    );
  });
}
