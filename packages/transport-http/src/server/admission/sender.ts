import type { Clock } from '@tenon/foundation';
import type { Principal } from '@tenon/mcp-protocol';
import type { HttpCall } from '../call/http-call.js';

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

/**
 * Returns the time on the clock at which the credentials of a caller expire; undefined for never. The remaining time is
 * counted from now on, so later changes of the time of day have no effect.
 */
export function expiryOf(principal: Principal | undefined, clock: Pick<Clock, 'now'>): number | undefined {
  const expiresAt = principal?.expiresAt;
  return expiresAt === undefined ? undefined : clock.now() + expiresAt - Date.now();
}
