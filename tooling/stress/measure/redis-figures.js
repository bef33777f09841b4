/** @typedef {import('../../suite/services/redis-server.js').RedisServer} RedisServer */

/** Commands that measure, and those that keep a connection alive. */
const apart = new Set([
  'info',
  'config|resetstat',
  'ping',
  'hello',
  'client|list',
  'client|setname',
  'memory|usage',
  'scan',
]);

/** Returns the bytes that Redis has allocated for data and connections. */
export async function usedMemory(/** @type {RedisServer} */ redis) {
  const [, bytes] = /used_memory:(\d+)/.exec(await redis.cli('info', 'memory')) ?? [];
  return Number(bytes);
}

/**
 * Returns the number of commands, by name, that Redis ran during a task. Those of scripts count as well.
 *
 * @param {RedisServer} redis
 * @param {() => Promise<unknown>} task
 */
export async function commandsOf(redis, task) {
  await redis.cli('config', 'resetstat');
  await task();
  /** @type {Record<string, number>} */
  const counts = {};
  for (const [, name = '', calls] of (await redis.cli('info', 'commandstats')).matchAll(
    /cmdstat_([^:]+):calls=(\d+)/g,
  ))
    if (!apart.has(name)) counts[name] = Number(calls);
  return counts;
}

/**
 * Returns the mean of `MEMORY USAGE` over at most 100 keys that match, and the number of those keys.
 *
 * @param {RedisServer} redis
 * @param {string} pattern
 */
export async function meanKey(redis, pattern) {
  const keys = (await redis.cli('--scan', '--pattern', pattern)).split('\n').filter((key) => key !== '');
  const chosen = keys.slice(0, 100);
  let bytes = 0;
  for (const key of chosen) bytes += Number(await redis.cli('memory', 'usage', key));
  return { keys: keys.length, bytes: Math.round(bytes / Math.max(1, chosen.length)) };
}

/** Returns the connections of the processes, and the bytes that each costs. */
export async function connectionsOf(/** @type {RedisServer} */ redis) {
  const lines = (await redis.cli('client', 'list'))
    .split('\n')
    .filter((line) => line.includes(' name=tenon '));
  return lines.map((line) => ({
    topics: Number(/ sub=(\d+)/.exec(line)?.[1]),
    bytes: Number(/ tot-mem=(\d+)/.exec(line)?.[1]),
  }));
}
