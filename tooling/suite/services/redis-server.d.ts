// For tests in TypeScript: their tsconfig does not include this folder.

export declare class RedisServer {
  readonly port: number;
  readonly url: string;
  readonly log: string;
  constructor(port: number);
  start(args?: readonly string[]): Promise<void>;
  startSentinel(name: string, masterPort: number): Promise<void>;
  failOver(name: string): Promise<void>;
  cli(...command: readonly string[]): Promise<string>;
  replicated(): Promise<void>;
  logged(pattern: RegExp): Promise<void>;
  signal(signal: NodeJS.Signals): void;
  kill(): Promise<void>;
  stop(): Promise<void>;
}

export declare function startRedis(args?: readonly string[]): Promise<RedisServer>;

export declare function startRedisCluster(): Promise<
  readonly [RedisServer, RedisServer, RedisServer, RedisServer]
>;

export declare function startRedisSentinel(
  name: string,
): Promise<{ readonly master: RedisServer; readonly replica: RedisServer; readonly sentinel: RedisServer }>;
