import type { Clock, Principal } from '@tenon/mcp-protocol';

/**
 * What a clock shows when that expires which a caller has shown; undefined for never. What is left is counted from now on:
 * that the time of day is set meanwhile changes nothing.
 */
export function expiryOf(principal: Principal | undefined, clock: Pick<Clock, 'now'>): number | undefined {
  const expiresAt = principal?.expiresAt;
  return expiresAt === undefined ? undefined : clock.now() + expiresAt - Date.now();
}
