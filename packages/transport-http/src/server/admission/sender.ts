import type { Principal } from '@tenon/mcp-protocol';
import type { HttpCall } from '../endpoint/http-call.js';
import { ownerOf } from '../sessions/http-session.js';

/** The known facts about the sender of a request. */
export interface Sender {
  readonly principal: Principal | undefined;
  /** True if nothing authenticates callers. */
  readonly anonymous?: boolean;
  readonly remoteAddress?: string | undefined;
}

/** Returns the sender of an accepted call. */
export function senderOf(
  { remoteAddress }: Pick<HttpCall, 'remoteAddress'>,
  principal: Principal | undefined,
): Sender {
  return { principal, anonymous: principal === undefined, remoteAddress };
}

/** Returns the name that a caller is counted under: the principal, else the network address; undefined if neither is known. */
export function callerOf(principal: Principal | undefined, address: string | undefined): string | undefined {
  return ownerOf(principal) ?? (address === undefined ? undefined : `@${address}`);
}
