export type { RedisSentinelOptions, RedisStateOptions } from './redis-options.js';
export { redisState } from './redis-state.js';
