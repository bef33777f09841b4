import type { Clock } from '@tenon/foundation';
import type { Principal } from '@tenon/mcp-protocol';

/**
 * Returns the time on the clock at which the credentials of a caller expire; undefined for never. The remaining time is
 * counted from now on, so later changes of the time of day have no effect.
 */
export function expiryOf(principal: Principal | undefined, clock: Pick<Clock, 'now'>): number | undefined {
  const expiresAt = principal?.expiresAt;
  return expiresAt === undefined ? undefined : clock.now() + expiresAt - Date.now();
}
