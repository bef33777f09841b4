import { ErrorCode, RpcError } from '@tenon/mcp-protocol';
import { callerName } from '@tenon/mcp-protocol/internal';
import type { IncomingRequest } from '@tenon/mcp-session';
import type { Definition } from '../../context/definition.js';

/** The listen streams of each known caller, by server. */
const shares = new WeakMap<Definition, Map<string, number>>();

/**
 * Counts a listen stream for its caller: the principal, else its address; without either it is not counted.
 * @returns a function that stops counting it.
 * @throws RpcError overloaded if the caller has the maximum number of streams.
 */
export function takeShare(definition: Definition, request: IncomingRequest): () => void {
  const { principal, remoteAddress } = request.exchange.facts;
  const caller = callerName(principal, remoteAddress);
  if (caller === undefined) return () => {};
  const held = shares.get(definition) ?? new Map<string, number>();
  shares.set(definition, held);
  const mine = held.get(caller) ?? 0;
  if (mine >= definition.limits.listenStreamsPerPrincipal) {
    throw new RpcError(ErrorCode.overloaded, `You hold ${mine} listen streams already; end one first.`);
  }
  held.set(caller, mine + 1);
  return () => {
    const rest = (held.get(caller) ?? 0) - 1;
    if (rest > 0) held.set(caller, rest);
    else held.delete(caller);
  };
}
