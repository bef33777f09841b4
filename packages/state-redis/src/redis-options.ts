import type { RedisClientOptions } from '@redis/client';
import { type OptionRule, optionRules, requireOptions } from '@tenon/foundation';

/** A master that sentinels watch. */
export interface RedisSentinelOptions {
  /** The name of the master in the configuration of the sentinels. */
  readonly name: string;
  /** The addresses of the sentinels. */
  readonly nodes: readonly { readonly host: string; readonly port: number }[];
  /** Options of node-redis for connections to sentinels, such as a password. Default: none. */
  readonly connection?: RedisClientOptions | undefined;
}

/** Options of `redisState`. Exactly one of `url`, `sentinel`, `cluster` and `client` is needed. */
export interface RedisStateOptions {
  /** `redis[s]://[user[:password]@]host[:port][/database]`. */
  readonly url?: string | undefined;
  readonly sentinel?: RedisSentinelOptions | undefined;
  /** URLs of some nodes of a cluster. User, password and TLS of the first one are used for all nodes. */
  readonly cluster?: readonly string[] | undefined;
  /** A client of node-redis for one server. Its options are used; connections are opened separately, and it is not closed. */
  readonly client?: { readonly options: object } | undefined;
  /** Options of node-redis for all connections, such as `password` or `socket.tls`. Default: none. */
  readonly connection?: RedisClientOptions | undefined;
  /**
   * The beginning of all keys and channels, without braces. All servers with this prefix share what they keep. Default: `tenon`, and each
   * server adds its name to its keys.
   */
  readonly prefix?: string | undefined;
  /**
   * Milliseconds that a call may take; a later one rejects with reason `unavailable`. The time between two checks that Redis answers
   * as well. Default 2,000. Raise it for a Redis that is far away, lower it to notice a failure sooner.
   */
  readonly timeout?: number | undefined;
  /** Receives errors of connections, and errors that subscribers throw. Default: they are dropped. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

const choices = ['url', 'sentinel', 'cluster', 'client'] as const;

const { callable, object, positive, text } = optionRules;
const rules: { readonly [Name in keyof Required<RedisStateOptions>]: OptionRule } = {
  url: text,
  sentinel: object,
  cluster: { is: 'a list of URLs', allows: Array.isArray },
  client: object,
  connection: object,
  prefix: {
    is: 'a text without braces and spaces',
    allows: (value) => typeof value === 'string' && /^[^{}\s]+$/.test(value),
  },
  timeout: positive,
  onError: callable,
};

/**
 * Checks options.
 * @throws TypeError or RangeError with the name of the option.
 */
export function requireRedisOptions(options: RedisStateOptions): void {
  requireOptions('redisState', options, rules);
  const chosen = choices.filter((name) => options[name] !== undefined);
  if (chosen.length !== 1)
    throw new TypeError(
      `redisState: set exactly one of ${choices.join(', ')}, not ${chosen.join(', ') || 'none'}.`,
    );
  if (options.cluster?.length === 0 || options.sentinel?.nodes.length === 0)
    throw new TypeError(`redisState: "${chosen.join()}" needs at least one node.`);
}
