import type { Revision, UnknownObject } from '@tenon/mcp-protocol';
import type { CallRequest, CarriedTexts, IncomingRequest } from './incoming-request.js';

/** One inbound or outbound request, as middleware sees it. `State` names the values that middleware sets. */
export interface Call<State extends object = object> {
  /** `inbound` was sent by the peer, `outbound` is sent to it. */
  readonly direction: 'inbound' | 'outbound';
  readonly method: string;
  /** Neutral params. */
  readonly params: UnknownObject;
  readonly revision: Revision;
  /** The running request of the peer; absent for outbound calls that belong to none. */
  readonly request: CallRequest | undefined;
  /** The key of an input request that came in the result of a call; absent for every other request. */
  readonly key?: string;
  /**
   * Values that all middleware of one request shares. At a server its handler reads them as `ctx.state`; calls that the server makes
   * for that request have the same state. Empty at first, and dropped with the request.
   */
  readonly state: { -readonly [Name in keyof State]?: State[Name] };
  /**
   * Returns the number of the request among those of one call, from 1. At a server each answer to input requests in a result is a
   * request of its own, so that middleware runs again; at a client middleware wraps the whole call, and the number is 1.
   * Rejects with the RpcError of the call if its `requestState` is not valid.
   */
  round(): Promise<number>;
  /**
   * Returns texts that go with the call into its later rounds and into the runs of its saved call, in any process: set members. Begin
   * their names with the id of the extension. Empty for outbound calls.
   * Rejects with the RpcError of the call if its `requestState` is not valid.
   */
  carried(): Promise<CarriedTexts>;
  /** True for a saved call, which runs after its request was answered, perhaps in another process. */
  readonly isSaved?: boolean;
}

const first = async (): Promise<number> => 1;
const nothing = async (): Promise<CarriedTexts> => ({});

/** Continues the call, with other params if given, and resolves with the neutral result. May be called once. */
export type Next = (params?: UnknownObject) => Promise<UnknownObject>;

/** Wraps every request of a server, and every call of a client, in both directions. Throw an `RpcError` to reject the request; return without `next` to answer it. */
export type Middleware<State extends object = object> = (
  call: Call<State>,
  next: Next,
) => Promise<UnknownObject>;

/** The innermost step of a call. */
export type Step = (params: UnknownObject) => UnknownObject | Promise<UnknownObject>;

/** Runs a call through a list of middleware, first in the list outermost. */
export function runThrough(
  chain: readonly Middleware[],
  call: Omit<Call, 'state' | 'round' | 'carried' | 'request'> &
    Partial<Pick<Call, 'round' | 'carried'>> & {
      readonly state?: object | undefined;
      readonly request: IncomingRequest | undefined;
    },
  step: Step,
): Promise<UnknownObject> {
  let ownState: object | undefined;
  const seenWith = (params: UnknownObject): Call => ({
    round: first,
    carried: nothing,
    ...call,
    params,
    get state() {
      if (call.request !== undefined) return call.request.state;
      if (call.state !== undefined) return call.state;
      ownState ??= {};
      return ownState;
    },
  });
  let seen = seenWith(call.params);
  const at = async (index: number, params: UnknownObject): Promise<UnknownObject> => {
    const layer = chain[index];
    if (layer === undefined) return step(params);
    if (params !== seen.params) seen = seenWith(params);
    let passed = false;
    return layer(seen, (changed = params) => {
      if (passed) throw new TypeError(`Middleware called next() twice for ${call.method}.`);
      passed = true;
      const inner = at(index + 1, changed);
      // A failed call must not become an unhandled rejection if the middleware has returned already.
      inner.catch(() => undefined);
      return inner;
    });
  };
  return at(0, call.params);
}
