import type { Principal } from '@tenon/mcp-protocol';
import type { HttpCall } from '../endpoint/http-call.js';

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
