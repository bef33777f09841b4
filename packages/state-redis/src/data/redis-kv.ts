import { randomBytes } from 'node:crypto';
import type { CompareOptions, KeyValueStore, VersionedValue, WriteOptions } from '@tenon/mcp-state';
import { fenced, requireKey, requireTtl, requireValue } from '@tenon/mcp-state/adapter';
import { type Commands, script } from '../connection/commands.js';
import type { KeyLayout } from '../key-layout.js';
import { checkFence, isFenced, tokenOf, ttlOf } from './redis-leases.js';

const write = `
  if ARGV[3] == '' then redis.call('SET', KEYS[1], ARGV[2])
  else redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3]) end
  return 1`;

const putFenced = script(`${checkFence}${write}`);

// ARGV[4] is the version and a space; empty if the key must not exist.
const compareAndSet = script(`${checkFence}
  if ARGV[4] == '' then
    if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
  elseif redis.call('GETRANGE', KEYS[1], 0, #ARGV[4] - 1) ~= ARGV[4] then return 0 end
  ${write}`);

const deleteVersion = script(`
  if redis.call('GETRANGE', KEYS[1], 0, #ARGV[1] - 1) ~= ARGV[1] then return 0 end
  return redis.call('UNLINK', KEYS[1])`);

/**
 * Values by key, as strings: the version, a space, the value. The writer chooses the version, so that a write needs a script only
 * if it depends on a version or a fence.
 */
export class RedisKeyValues implements KeyValueStore {
  readonly #commands: Commands;
  readonly #keys: KeyLayout;
  readonly #writer = randomBytes(9).toString('base64url');
  #writes = 0;

  constructor(commands: Commands, keys: KeyLayout) {
    this.#commands = commands;
    this.#keys = keys;
  }

  async get(key: string): Promise<VersionedValue | undefined> {
    const name = this.#require(key);
    const text = await this.#commands.send(name, ['GET', name]);
    if (typeof text !== 'string') return undefined;
    const end = text.indexOf(' ');
    return { version: text.slice(0, end), value: text.slice(end + 1) };
  }

  async put(key: string, value: string, options: WriteOptions = {}): Promise<string> {
    const { name, version, text, token, ttl } = this.#written(key, value, options);
    if (token === '') {
      await this.#commands.send(name, ['SET', name, text, ...expiry(ttl)]);
      return version;
    }
    const reply = await this.#commands.script(putFenced, [name, this.#keys.fence(key)], [token, text, ttl]);
    this.#checked(reply, key, options);
    return version;
  }

  async compareAndSet(key: string, value: string, options: CompareOptions): Promise<string | undefined> {
    const { name, version, text, token, ttl } = this.#written(key, value, options);
    const { expected } = options;
    if (token === '' && expected === undefined) {
      const reply = await this.#commands.send(name, ['SET', name, text, 'NX', ...expiry(ttl)]);
      return reply === null ? undefined : version;
    }
    const values = [token, text, ttl, expected === undefined ? '' : `${expected} `];
    const reply = await this.#commands.script(compareAndSet, [name, this.#keys.fence(key)], values);
    return this.#checked(reply, key, options) ? version : undefined;
  }

  async touch(key: string, ttl: number): Promise<boolean> {
    const name = this.#require(key);
    requireTtl(key, ttl);
    return (await this.#commands.send(name, ['PEXPIRE', name, ttlOf(ttl)])) === 1;
  }

  async delete(key: string, expected?: string): Promise<boolean> {
    const name = this.#require(key);
    const reply =
      expected === undefined
        ? await this.#commands.send(name, ['UNLINK', name])
        : await this.#commands.script(deleteVersion, [name], [`${expected} `]);
    return reply === 1;
  }

  #require(key: string): string {
    this.#commands.requireOpen();
    requireKey(key);
    return this.#keys.value(key);
  }

  #written(key: string, value: string, { ttl, fence }: WriteOptions) {
    const name = this.#require(key);
    requireValue(key, value);
    requireTtl(key, ttl);
    const token = tokenOf(key, fence);
    this.#writes += 1;
    const version = `${this.#writer}${this.#writes.toString(36)}`;
    return { name, version, text: `${version} ${value}`, token, ttl: ttlOf(ttl) };
  }

  /**
   * Returns true if the script wrote.
   * @throws StateError with reason `fenced`.
   */
  #checked(reply: unknown, key: string, { fence }: WriteOptions): boolean {
    if (reply === isFenced && fence !== undefined) throw fenced(key, fence);
    return reply === 1;
  }
}

function expiry(ttl: string): readonly string[] {
  return ttl === '' ? [] : ['PX', ttl];
}
