import type { Revision, UnknownObject } from '@tenon/mcp-protocol';
import type { IncomingRequest } from './incoming-request.js';

/** One request on its way in or out, as middleware sees it. */
export interface Call {
  /** `inbound` was sent by the peer, `outbound` is sent to it. */
  readonly direction: 'inbound' | 'outbound';
  readonly method: string;
  /** Neutral params. */
  readonly params: UnknownObject;
  readonly revision: Revision;
  /** The peer's request that is being handled; absent for outbound calls that belong to none. */
  readonly request: IncomingRequest | undefined;
}

/** Goes on with the call, with other params if given, and resolves with the neutral result. May be called once. */
export type Next = (params?: UnknownObject) => Promise<UnknownObject>;

/** Wraps every request, in both directions. Throw an `RpcError` to refuse; return without `next` to answer. */
export type Middleware = (call: Call, next: Next) => Promise<UnknownObject>;

/** The innermost step of a call. */
export type Step = (params: UnknownObject) => UnknownObject | Promise<UnknownObject>;

/** Runs a call through a list of middleware, first in the list outermost. */
export function runThrough(chain: readonly Middleware[], call: Call, step: Step): Promise<UnknownObject> {
  const at = async (index: number, params: UnknownObject): Promise<UnknownObject> => {
    const layer = chain[index];
    if (layer === undefined) return step(params);
    const seen = params === call.params ? call : { ...call, params };
    let passed = false;
    return layer(seen, (changed = params) => {
      if (passed) throw new TypeError(`Middleware called next() twice for ${call.method}.`);
      passed = true;
      const inner = at(index + 1, changed);
      // Middleware that lost interest must not turn a failed call into an unhandled rejection.
      inner.catch(() => undefined);
      return inner;
    });
  };
  return at(0, call.params);
}
