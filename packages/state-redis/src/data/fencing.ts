import type { Fence } from '@tenon/mcp-state';
import { requireFenceOf } from '@tenon/mcp-state/adapter';

/** Lua: returns -1 if a later holder acquired the lease. The fence is `KEYS[2]`; the token is `ARGV[1]`, empty for none. */
export const checkFence = `
  if ARGV[1] ~= '' then
    local greatest = redis.call('GET', KEYS[2])
    if greatest and tonumber(greatest) > tonumber(ARGV[1]) then return -1 end
  end`;

/** The reply of {@link checkFence}. */
export const isFenced = -1;

/**
 * Returns the token of a fence as an argument; empty for none.
 * @throws TypeError if the fence does not cover the key.
 */
export function tokenOf(key: string, fence: Fence | undefined): string {
  if (fence === undefined) return '';
  requireFenceOf(key, fence);
  return String(fence.token);
}

/** Returns a time to live as an argument; empty for none. Redis counts whole milliseconds. */
export function ttlOf(ttl: number | undefined): string {
  return ttl === undefined ? '' : String(Math.ceil(ttl));
}
