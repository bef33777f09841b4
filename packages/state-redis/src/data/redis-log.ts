import {
  type AppendOptions,
  type LogPage,
  type LogStore,
  type Retention,
  stateLimits,
} from '@tenon/mcp-state';
import { fenced, requireKey, requireTtl, requireValue } from '@tenon/mcp-state/adapter';
import { type Commands, script } from '../connection/commands.js';
import type { KeyLayout } from '../key-layout.js';
import { checkFence, isFenced, tokenOf, ttlOf } from './redis-leases.js';

// A log is a hash: `first`, `last` and `bytes`, and one field per position with 13 digits of milliseconds before the value.
// A number of Lua has no digits after the fourteenth in its text, so positions are formatted.
const open = `
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  local function field(position) return string.format('%.0f', position) end
  local known = redis.call('HMGET', KEYS[1], 'first', 'last', 'bytes')
  local first = tonumber(known[1] or 1)
  local last = tonumber(known[2] or 0)
  local bytes = tonumber(known[3] or 0)`;

/** Lua: drops what exceeds `ARGV[i]` entries, `ARGV[i + 1]` bytes or `ARGV[i + 2]` milliseconds. Empty for no bound. */
const trimBy = (index: number) => `
  local entries = tonumber(ARGV[${index}]) or math.huge
  local most = tonumber(ARGV[${index + 1}]) or math.huge
  local age = tonumber(ARGV[${index + 2}])
  while first < last or (first == last and entries < 1) do
    local kept = last - first + 1 <= entries and bytes <= most
    if kept and not (age and tonumber(string.sub(redis.call('HGET', KEYS[1], field(first)), 1, 13)) <= now - age) then break end
    bytes = bytes - redis.call('HSTRLEN', KEYS[1], field(first)) + 13
    redis.call('HDEL', KEYS[1], field(first))
    first = first + 1
  end
  redis.call('HSET', KEYS[1], 'first', field(first), 'last', field(last), 'bytes', field(bytes))`;

const append = script(`${checkFence}${open}
  last = last + 1
  redis.call('HSET', KEYS[1], field(last), string.format('%013.0f', now) .. ARGV[2])
  bytes = bytes + #ARGV[2]
  ${trimBy(4)}
  if ARGV[3] == '' then redis.call('PERSIST', KEYS[1]) else redis.call('PEXPIRE', KEYS[1], ARGV[3]) end
  return last`);

const trim = script(`${open}
  if not known[2] then return 0 end
  ${trimBy(1)}
  return 1`);

const read = script(`${open}
  local page = { field(first), field(last) }
  local entries = tonumber(ARGV[2]) or math.huge
  local most = tonumber(ARGV[3]) or math.huge
  local position = math.max(tonumber(ARGV[1]) + 1, first)
  local size = 0
  while position <= last and #page - 2 < entries and size < most do
    local value = string.sub(redis.call('HGET', KEYS[1], field(position)), 14)
    page[#page + 1] = value
    size = size + #value
    position = position + 1
  end
  return page`);

/** Append-only logs by key, as hashes. */
export class RedisLogs implements LogStore {
  readonly #commands: Commands;
  readonly #keys: KeyLayout;

  constructor(commands: Commands, keys: KeyLayout) {
    this.#commands = commands;
    this.#keys = keys;
  }

  async append(key: string, value: string, options: AppendOptions = {}): Promise<number> {
    const name = this.#require(key);
    const { ttl, fence, keep = {} } = options;
    requireValue(key, value);
    requireTtl(key, ttl);
    const values = [tokenOf(key, fence), value, ttlOf(ttl), ...bounds(keep)];
    const reply = await this.#commands.script(append, [name, this.#keys.fence(key)], values);
    if (reply === isFenced && fence !== undefined) throw fenced(key, fence);
    return Number(reply);
  }

  async read(
    key: string,
    after: number,
    {
      entries = stateLimits.pageEntries,
      bytes = stateLimits.pageBytes,
    }: Pick<Retention, 'entries' | 'bytes'> = {},
  ): Promise<LogPage> {
    const name = this.#require(key);
    const values = [String(after), bound(entries), bound(bytes)];
    const [first, last, ...texts] = (await this.#commands.script(read, [name], values)) as readonly string[];
    const start = Math.max(after + 1, Number(first));
    return {
      entries: texts.map((value, index) => ({ position: start + index, value })),
      trimmed: after < Number(first) - 1 || after > Number(last),
      last: Number(last),
    };
  }

  async trim(key: string, keep: Retention): Promise<void> {
    const name = this.#require(key);
    await this.#commands.script(trim, [name], bounds(keep));
  }

  async touch(key: string, ttl: number): Promise<boolean> {
    const name = this.#require(key);
    requireTtl(key, ttl);
    return (await this.#commands.send(name, ['PEXPIRE', name, ttlOf(ttl)])) === 1;
  }

  async delete(key: string): Promise<boolean> {
    const name = this.#require(key);
    return (await this.#commands.send(name, ['UNLINK', name])) === 1;
  }

  #require(key: string): string {
    this.#commands.requireOpen();
    requireKey(key);
    return this.#keys.log(key);
  }
}

function bounds({ entries, bytes, age }: Retention): readonly string[] {
  return [bound(entries), bound(bytes), bound(age)];
}

function bound(value: number | undefined): string {
  return value === undefined || value === Number.POSITIVE_INFINITY ? '' : String(value);
}
