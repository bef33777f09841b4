import type { RequestMethod } from '@tenon/mcp-protocol';
import type { BatchCall } from '@tenon/mcp-session';
import type { CallOptions } from './call-options.js';
import type { Caller, FinalResultOf } from './caller.js';
import { requireCapability } from './session.js';

/** Requests to send together. */
export type BatchCalls = readonly { [M in RequestMethod]: BatchCall<M> }[RequestMethod][];

/** The result of each request, in their order. */
export type BatchResults<Calls extends BatchCalls> = {
  -readonly [K in keyof Calls]: Promise<FinalResultOf<Calls[K]['method']>>;
};

/** Sends requests together where the revision has batches, one by one elsewhere. */
export function sendBatch<const Calls extends BatchCalls>(
  caller: Caller,
  calls: Calls,
  options: CallOptions | undefined,
): BatchResults<Calls> {
  const session = caller.lifeline.session;
  if (session?.revision.rules.batching !== true) {
    return calls.map((call) => caller.call(call.method, call.params, options)) as BatchResults<Calls>;
  }
  const missing = calls.map(({ method }) => {
    try {
      requireCapability(session, method);
      return undefined;
    } catch (error) {
      return error;
    }
  });
  const allowed = calls.filter((_, index) => missing[index] === undefined);
  const sent = session.endpoint.batch(allowed, options);
  const results = missing.map((error) => (error === undefined ? sent.shift() : Promise.reject(error)));
  return results as unknown as BatchResults<Calls>;
}
