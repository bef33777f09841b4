import type { Fence, Lease, LeaseStore } from '@tenon/mcp-state';
import { fenceLifetime, requireFenceOf, requireLeaseName, requireTtl } from '@tenon/mcp-state/adapter';
import { type Commands, script } from '../connection/commands.js';
import type { KeyLayout } from '../key-layout.js';

// A token is the time in microseconds, or one more than the last token: greater than every earlier one, even if Redis has
// lost the last one. Lua prints no more than 14 digits of a number, so the token is formatted.
const acquire = script(`
  if redis.call('EXISTS', KEYS[1]) == 1 then return false end
  local time = redis.call('TIME')
  local last = tonumber(redis.call('GET', KEYS[2]) or 0)
  local token = string.format('%.0f', math.max(last + 1, time[1] * 1000000 + time[2]))
  redis.call('SET', KEYS[1], token, 'PX', ARGV[1])
  redis.call('SET', KEYS[2], token, 'PX', ARGV[2])
  return token`);

const renew = script(`
  if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
  return redis.call('PEXPIRE', KEYS[1], ARGV[2])`);

const release = script(`
  if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
  return redis.call('DEL', KEYS[1])`);

/** Leases by name: a string with the token of the holder, which expires, and one with the greatest token, which outlives it. */
export class RedisLeases implements LeaseStore {
  readonly #commands: Commands;
  readonly #keys: KeyLayout;

  constructor(commands: Commands, keys: KeyLayout) {
    this.#commands = commands;
    this.#keys = keys;
  }

  async acquire(name: string, ttl: number): Promise<Lease | undefined> {
    this.#commands.requireOpen();
    requireLeaseName(name);
    requireTtl(name, ttl);
    const key = this.#keys.lease(name);
    const values = [ttlOf(ttl), String(fenceLifetime)];
    const token = await this.#commands.script(acquire, [key, this.#keys.fence(name)], values);
    if (typeof token !== 'string') return undefined;
    return {
      name,
      token: Number(token),
      renew: async (longer) => {
        requireTtl(name, longer);
        return (await this.#commands.script(renew, [key], [token, ttlOf(longer)])) === 1;
      },
      release: async () => (await this.#commands.script(release, [key], [token])) === 1,
    };
  }
}

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
