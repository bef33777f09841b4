import { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { startRedis } from '../../suite/services/redis-server.js';
import { Child } from '../children/child.js';
import { toolCall } from '../wire/messages.js';
import { request, send } from '../wire/requests.js';
import { endSession, openSession } from '../wire/sessions.js';
import { commandsOf, connectionsOf, meanKey, usedMemory } from './redis-figures.js';

/** @typedef {Awaited<ReturnType<typeof measure>>} Figures */

/** Milliseconds of four looks of the heartbeat. */
const watched = 30_000;
/** Calls that stream, and streams of a GET. */
const sample = 200;
const agent = new Agent({ keepAlive: true, maxSockets: 32 });

/**
 * Measures what sessions and streams of one process take in Redis and in the process.
 *
 * @param {{ sessions: number, streams: number, onProgress: (line: string) => void }} options
 */
export async function measure({ sessions, streams, onProgress }) {
  const redis = await startRedis();
  const server = new Child('server', new URL('./server-process.js', import.meta.url));
  const peers = new Child('peers', new URL('../idle/peers-process.js', import.meta.url));
  try {
    const { url } = await server.call('begin', { redis: redis.url });
    await peers.call('begin', { url });
    onProgress('warming up');
    await warmUp(server, peers, url);
    const empty = await moment(server, redis);
    onProgress(`opening ${sessions} sessions`);
    const opening = await commandsOf(redis, () => peers.call('openSessions', { count: sessions }));
    const full = await moment(server, redis);
    const record = await meanKey(redis, '*kv:record');
    onProgress('watching idle sessions');
    const idle = await commandsOf(redis, () => pause(watched));
    onProgress('calling');
    const called = await streamingCalls(redis, url);
    onProgress('watching streams of GETs');
    const gets = await watchGets(redis, url);
    onProgress(`opening ${streams} listen streams`);
    const before = await moment(server, redis);
    const listening = await commandsOf(redis, async () => {
      await peers.call('listen', { count: streams });
      await pause(watched);
    });
    const after = await moment(server, redis);
    onProgress('changing a list');
    const change = await commandsOf(redis, async () => {
      await server.call('change');
      await pause(10_000);
    });
    const changed = await moment(server, redis);
    await server.call('change');
    const changedAgain = await moment(server, redis);
    const connections = await connectionsOf(redis);
    await peers.call('endStreams');
    const complaints = Object.keys(await server.call('close'));
    return {
      session: {
        redis: (full.redis - empty.redis) / sessions,
        record: record.bytes,
        heap: (full.heap - empty.heap) / sessions,
        opening,
        idle,
      },
      called,
      gets,
      listen: {
        heap: (after.heap - before.heap) / streams,
        redis: (after.redis - before.redis) / streams,
        commands: listening,
      },
      change: {
        commands: change,
        first: (changed.redis - after.redis) / sessions,
        next: (changedAgain.redis - changed.redis) / sessions,
      },
      connections,
      complaints,
      seconds: watched / 1_000,
      sample,
    };
  } finally {
    agent.destroy();
    server.kill();
    peers.kill();
    await redis.stop();
  }
}

/**
 * @param {Child} server
 * @param {Child} peers
 * @param {string} url
 */
async function warmUp(server, peers, url) {
  for (let round = 0; round < 3; round++) {
    await peers.call('openSessions', { count: 300 });
    await peers.call('listen', { count: 50 });
    await server.call('change');
    await peers.call('endStreams');
    await peers.call('endSessions');
    await endSession(url, await streamingCall(url), agent);
  }
}

/**
 * @param {Child} server
 * @param {import('../../suite/services/redis-server.js').RedisServer} redis
 */
async function moment(server, redis) {
  // Sockets of earlier requests close meanwhile.
  await pause(2_000);
  const { heap } = await server.call('holdings');
  return { heap, redis: await usedMemory(redis) };
}

/**
 * @param {import('../../suite/services/redis-server.js').RedisServer} redis
 * @param {string} url
 */
async function streamingCalls(redis, url) {
  const commands = await commandsOf(redis, async () => {
    for (let count = 0; count < sample; count++) await streamingCall(url);
  });
  return { commands, log: (await meanKey(redis, '*log:stream/*')).bytes };
}

/**
 * Opens streams of GETs, counts the commands while nothing is sent, and closes them.
 *
 * @param {import('../../suite/services/redis-server.js').RedisServer} redis
 * @param {string} url
 */
async function watchGets(redis, url) {
  const streams = new AbortController();
  for (let count = 0; count < sample; count++) {
    const { headers } = await openSession(url, { agent });
    await send(url, { method: 'GET', headers, signal: streams.signal });
  }
  await pause(2_000);
  const commands = await commandsOf(redis, () => pause(watched));
  streams.abort();
  return { commands };
}

/**
 * Opens a session, and makes a call that sends one progress notification.
 *
 * @param {string} url
 */
async function streamingCall(url) {
  const session = await openSession(url, { agent });
  const { params, ...rest } = toolCall(2, 'steps');
  const message = { ...rest, params: { ...params, _meta: { progressToken: 1 } } };
  await request(url, { agent, method: 'POST', headers: session.headers, message });
  return session;
}
