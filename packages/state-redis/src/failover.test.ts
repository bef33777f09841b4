import { otherBounds } from '@tenon/foundation';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type RedisServer,
  startRedisCluster,
  startRedisSentinel,
} from '../../../tooling/suite/services/redis-server.js';
import { Collector, HeldLimits, LostConnections, reached, reasonOf, unlimited } from '../test/observed.js';
import { openState, redisState } from './redis-state.js';

describe('redisState with Sentinel', () => {
  it('goes on at the replica after its master was killed', async () => {
    const { master, replica, sentinel } = await startRedisSentinel('main');
    const nobody = { host: '127.0.0.1', port: 1 };
    const state = redisState({
      sentinel: { name: 'main', nodes: [nobody, { host: '127.0.0.1', port: sentinel.port }] },
      ...unlimited,
      ...otherBounds({ reconnectDelay: 100 }),
    });
    try {
      const collector = new Collector();
      await state.bus.subscribe('a/topic', collector);
      const lease = await state.leases.acquire('a/b', 1);
      await state.kv.put('a/b/kept', 'value');
      await master.replicated();
      const lost = reached(state, 'unavailable');
      await master.kill();
      await lost;
      expect(await reasonOf(state.kv.get('a/b/kept'))).toBe('unavailable');
      await sentinel.failOver('main');
      await reached(state, 'ready');
      expect((await state.kv.get('a/b/kept'))?.value).toBe('value');
      const next = await state.leases.acquire('a/b', 60_000);
      expect(next?.token).toBeGreaterThan(lease?.token ?? Number.POSITIVE_INFINITY);
      await collector.has('GAP');
      await state.bus.publish('a/topic', 'after');
      await collector.has('after');
    } finally {
      await state.close();
      for (const server of [sentinel, replica, master]) await server.stop();
    }
  });
});

describe('redisState with a cluster', () => {
  let nodes: readonly [RedisServer, RedisServer, RedisServer, RedisServer];
  beforeAll(async () => {
    nodes = await startRedisCluster();
  });
  afterAll(async () => {
    for (const node of nodes) await node.stop();
  });

  /** Returns a group with a slot from 0 to 5460, which are those of the first master. */
  async function groupOfFirst(): Promise<string> {
    for (let index = 0; ; index++) {
      const group = `group/${index}`;
      if (Number(await nodes[1].cli('cluster', 'keyslot', group)) <= 5_460) return group;
    }
  }

  it('reports a gap when the slot of a topic moves to another node', async () => {
    const state = redisState({ cluster: [nodes[1].url], ...unlimited });
    try {
      const group = await groupOfFirst();
      const collector = new Collector();
      await state.bus.subscribe(`${group}/topic`, collector);
      const slot = await nodes[1].cli('cluster', 'keyslot', group);
      const target = await nodes[1].cli('cluster', 'myid');
      for (const node of [nodes[1], nodes[0], nodes[2]])
        await node.cli('cluster', 'setslot', slot, 'node', target);
      await collector.has('GAP');
      await state.bus.publish(`${group}/topic`, 'after');
      await collector.has('after');
    } finally {
      await state.close();
    }
  });

  it('keeps the groups of other nodes while a master is away, and goes on at its replica', async () => {
    const state = redisState({
      cluster: [nodes[1].url, nodes[2].url],
      ...unlimited,
      ...otherBounds({ reconnectDelay: 100 }),
    });
    try {
      const group = await groupOfFirst().then(async (first) => {
        // The slot of the first such group has moved.
        const owner = await nodes[1].cli('cluster', 'keyslot', first);
        for (let index = 100; ; index++) {
          const slot = await nodes[1].cli('cluster', 'keyslot', `group/${index}`);
          if (Number(slot) <= 5_460 && slot !== owner) return `group/${index}`;
        }
      });
      const collector = new Collector();
      await state.bus.subscribe(`${group}/topic`, collector);
      await state.kv.put(`${group}/kept`, 'value');
      const spread = Array.from({ length: 20 }, (_, index) => `spread/${index}`);
      await Promise.all(spread.map((key) => state.kv.put(key, key)));
      await nodes[0].replicated();
      const lost = reached(state, 'unavailable');
      await nodes[0].kill();
      await lost;
      const answers = await Promise.all(spread.map((key) => reasonOf(state.kv.get(key))));
      expect(answers).toContain('unavailable');
      expect(answers.some((answer) => typeof answer === 'object')).toBe(true);
      await reached(state, 'ready');
      expect((await state.kv.get(`${group}/kept`))?.value).toBe('value');
      await collector.has('GAP');
      await state.bus.publish(`${group}/topic`, 'after');
      await collector.has('after');
    } finally {
      await state.close();
    }
  });

  it('notices a node that stopped answering, and recovers when it continues', async () => {
    const connections = new LostConnections();
    const limits = new HeldLimits();
    const cluster = [nodes[1].url, nodes[2].url];
    const state = openState(
      { cluster, ...unlimited, ...otherBounds({ reconnectDelay: 100 }), onError: connections.onError },
      limits.schedule,
    );
    try {
      const collector = new Collector();
      const topics = Array.from({ length: 20 }, (_, index) => `spread/${index}/topic`);
      for (const topic of topics) await state.bus.subscribe(topic, collector);
      await reached(state, 'ready');
      const lost = reached(state, 'unavailable');
      nodes[2].signal('SIGSTOP');
      // A PING is sent; then its time ends.
      limits.expire();
      limits.expire();
      expect((await lost)?.message).toMatch(/PING/);
      // The connections for calls, and those for messages.
      await connections.reach(2);
      nodes[2].signal('SIGCONT');
      await reached(state, 'ready');
      await collector.has('GAP');
      for (const topic of topics) await state.bus.publish(topic, topic);
      for (const topic of topics) await collector.has(topic);
    } finally {
      await state.close();
    }
  });
});
