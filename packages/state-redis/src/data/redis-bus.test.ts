import type { State } from '@tenon/mcp-state';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RedisServer, startRedis } from '../../../../tooling/suite/services/redis-server.js';
import { Collector, reached, unlimited } from '../../test/observed.js';
import { redisState } from '../redis-state.js';

let server: RedisServer;
let state: State;

beforeAll(async () => {
  server = await startRedis();
  state = redisState({ url: server.url, ...unlimited });
});
afterAll(async () => {
  await state.close();
  await server.stop();
});

/** Returns the number of connections that are subscribed to a topic. */
async function connections(channel: string): Promise<number> {
  const [, count] = (await server.cli('pubsub', 'numsub', channel)).split('\n');
  return Number(count);
}

it('has one subscription for each topic with subscribers, however quickly they come and go', async () => {
  const channel = 'tenon:{bus/quick}:bus:topic';
  const ends: (() => Promise<void>)[] = [];
  for (let round = 0; round < 30; round++) {
    const collector = new Collector();
    const started = state.bus.subscribe('bus/quick/topic', collector);
    const leaving = ends.splice(0).map((end) => end());
    ends.push(await started);
    expect(await connections(channel)).toBe(1);
    await state.bus.publish('bus/quick/topic', `${round}`);
    await collector.has(`${round}`);
    await Promise.all(leaving);
    if (round % 3 === 0) for (const end of ends.splice(0)) await end();
  }
  for (const end of ends) await end();
  expect(await connections(channel)).toBe(0);
});

it('subscribes to all topics again after a reconnect, and to none that has no subscriber', async () => {
  const collector = new Collector();
  const topics = Array.from({ length: 1_200 }, (_, index) => `bus/many-${index}`);
  const ends = await Promise.all(topics.map((topic) => state.bus.subscribe(topic, collector)));
  await Promise.all(ends.slice(1_100).map((end) => end()));
  const lost = reached(state, 'unavailable');
  await server.cli('client', 'kill', 'type', 'pubsub');
  await lost;
  await reached(state, 'ready');
  expect((await server.cli('pubsub', 'channels', 'tenon:{bus/many-*')).split('\n')).toHaveLength(1_100);
  await state.bus.publish('bus/many-1099', 'after');
  await collector.has('after');
  expect(collector.received.filter((text) => text === 'GAP')).toHaveLength(1_100);
});
