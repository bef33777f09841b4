import { setTimeout as pause } from 'node:timers/promises';

/** Milliseconds for which Redis does not answer. */
const stopped = 3_000;

/**
 * @typedef {object} Churning
 * @property {import('../nodes/nodes.js').Nodes} nodes
 * @property {import('../../suite/redis-server.js').RedisServer} redis
 * @property {readonly string[]} redisOptions
 * @property {import('@tenon/tool-chaos/faults/random.js').Random} random
 * @property {number} seconds
 */

/**
 * Kills, drains and replaces nodes until most of the time is over. Stops Redis once, and restarts it once.
 *
 * @param {Churning} run
 */
export async function churn(run) {
  const until = performance.now() + run.seconds * 900;
  await Promise.all([replaceNodes(run, until), disturbRedis(run)]);
}

/**
 * @param {Churning} run
 * @param {number} until
 */
async function replaceNodes({ nodes, random }, until) {
  for (let count = 0; performance.now() < until; count++) {
    await pause(random.between(300, 1_500));
    const index = random.whole(1, nodes.count - 1);
    if (count % 2 === 0) await nodes.kill(index);
    else await nodes.drain(index, { isWarned: count % 4 === 1 });
  }
}

/** @param {Churning} run */
async function disturbRedis(run) {
  await pause(run.seconds * 300);
  await stopRedis(run);
  await pause(run.seconds * 300);
  await restartRedis(run);
}

/**
 * Stops Redis from answering while its connections stay open, as a partition does.
 *
 * @param {Churning} run
 */
async function stopRedis({ redis, nodes }) {
  const from = Date.now();
  redis.signal('SIGSTOP');
  await pause(stopped);
  redis.signal('SIGCONT');
  nodes.disturbances.push({ kind: 'redis stopped', node: undefined, from, to: Date.now() });
}

/** @param {Churning} run */
async function restartRedis({ redis, redisOptions, nodes }) {
  const from = Date.now();
  await redis.kill();
  await redis.start(redisOptions);
  nodes.disturbances.push({ kind: 'redis restarted', node: undefined, from, to: Date.now() });
}
