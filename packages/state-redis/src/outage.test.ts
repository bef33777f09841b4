import { otherBounds } from '@tenon/foundation';
import { StateError } from '@tenon/mcp-state';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type RedisServer, startRedis } from '../../../tooling/suite/services/redis-server.js';
import { Collector, HeldLimits, LostConnections, reached, reasonOf, unlimited } from '../test/observed.js';
import type { RedisStateOptions } from './redis-options.js';
import { openState, redisState } from './redis-state.js';

describe('redisState during an outage', () => {
  let server: RedisServer;
  const open: { close(): Promise<void> }[] = [];

  beforeEach(async () => {
    server = await startRedis();
  });
  afterEach(async () => {
    for (const state of open.splice(0)) await state.close();
    await server.stop();
  });

  function state(options: RedisStateOptions = {}) {
    const opened = redisState({ url: server.url, ...unlimited, ...options });
    open.push(opened);
    return opened;
  }

  it('rejects calls at once, reports the cause, and is ready again when the server is back', async () => {
    const errors: unknown[] = [];
    const one = state({ onError: (error) => errors.push(error) });
    const collector = new Collector();
    await one.bus.subscribe('a/topic', collector);
    await reached(one, 'ready');
    const lost = reached(one, 'unavailable');
    await server.kill();
    const cause = await lost;
    expect(cause).toBeInstanceOf(Error);
    expect(errors).toContain(cause);
    await expect(one.kv.get('a/b')).rejects.toMatchObject({ name: StateError.name, reason: 'unavailable' });
    expect(await reasonOf(one.bus.publish('a/topic', 'x'))).toBe('unavailable');
    expect(await reasonOf(one.bus.subscribe('a/other', collector))).toBe('unavailable');
    await server.start();
    await reached(one, 'ready');
    await collector.has('GAP');
    await one.bus.publish('a/topic', 'after');
    await collector.has('after');
    expect(collector.received).toEqual(['GAP', 'after']);
  });

  it('rejects the first calls when no server listens, and connects when one starts', async () => {
    await server.kill();
    const one = state();
    expect(one.status).toBe('unavailable');
    await expect(one.kv.get('a/b')).rejects.toThrow(
      `State: Redis cannot be reached: connect ECONNREFUSED 127.0.0.1:${server.port}`,
    );
    const named = state({ url: `redis://localhost:${server.port}` });
    await expect(named.kv.get('a/b')).rejects.toThrow(/cannot be reached: .*ECONNREFUSED/);
    await server.start();
    await reached(one, 'ready');
    await one.kv.put('a/b', 'value');
  });

  it('rejects calls after the time limit when the server stops answering, and recovers when it continues', async () => {
    const connections = new LostConnections();
    const limits = new HeldLimits();
    const options = {
      url: server.url,
      ...unlimited,
      ...otherBounds({ calls: 2 }),
      onError: connections.onError,
    };
    const one = openState(options, limits.schedule);
    open.push(one);
    const collector = new Collector();
    await one.bus.subscribe('a/topic', collector);
    await reached(one, 'ready');
    const lost = reached(one, 'unavailable');
    server.signal('SIGSTOP');
    const late = [one.kv.put('a/b', 'x'), one.kv.get('a/b')];
    await expect(one.kv.get('a/b')).rejects.toThrow('2 calls wait for Redis already');
    // The calls end, and a PING is sent; then its time ends too.
    limits.expire();
    limits.expire();
    expect(await Promise.all(late.map(reasonOf))).toEqual(['unavailable', 'unavailable']);
    expect((await lost)?.message).toMatch(/PING/);
    // The connection for calls, and the one for messages.
    await connections.reach(2);
    server.signal('SIGCONT');
    await reached(one, 'ready');
    await collector.has('GAP');
    expect(await reasonOf(one.kv.get('a/c'))).toBeUndefined();
  });

  it('rejects waiting calls with closed, and closes its connections', async () => {
    const one = state();
    await one.bus.subscribe('a/topic', new Collector());
    await one.kv.put('a/b', 'x');
    server.signal('SIGSTOP');
    const waiting = one.kv.get('a/b');
    await one.close();
    expect(await reasonOf(waiting)).toBe('closed');
    server.signal('SIGCONT');
    const clients = await server.cli('client', 'list');
    expect(clients.split('\n').filter((line) => line.includes('name=tenon'))).toEqual([]);
  });

  it('closes while it connects', async () => {
    server.signal('SIGSTOP');
    const one = state();
    const waiting = one.kv.get('a/b');
    await one.close();
    expect(await reasonOf(waiting)).toBe('closed');
    server.signal('SIGCONT');
  });

  it('rejects writes with full past the memory of the server, and renews leases', async () => {
    const one = state();
    await one.kv.put('a/b', 'x');
    const lease = await one.leases.acquire('a/held', 60_000);
    await server.cli('config', 'set', 'maxmemory', '1');
    expect(await lease?.renew(60_000)).toBe(true);
    expect(await reasonOf(one.kv.put('a/b', 'y'))).toBe('full');
    expect(await reasonOf(one.log.append('a/b', 'y'))).toBe('full');
    expect(await reasonOf(one.leases.acquire('a/b', 1_000))).toBe('full');
    expect((await one.kv.get('a/b'))?.value).toBe('x');
    expect(one.status).toBe('ready');
  });

  it('connects again when its master has become a replica', async () => {
    const other = await startRedis();
    try {
      const one = state({ ...otherBounds({ reconnectDelay: 50 }) });
      await one.kv.put('a/b', 'x');
      await server.cli('replicaof', '127.0.0.1', `${other.port}`);
      const lost = reached(one, 'unavailable');
      expect(await reasonOf(one.kv.put('a/b', 'y'))).toBe('unavailable');
      await lost;
      await server.cli('replicaof', 'no', 'one');
      await reached(one, 'ready');
      await one.kv.put('a/b', 'z');
    } finally {
      await other.stop();
    }
  });

  it('reports a wrong password', async () => {
    await server.cli('config', 'set', 'requirepass', 'secret');
    const one = state();
    await expect(one.kv.get('a/b')).rejects.toMatchObject({
      reason: 'unavailable',
      cause: { message: expect.stringMatching(/^NOAUTH/) },
    });
    const right = state({ connection: { password: 'secret' } });
    expect(await reasonOf(right.kv.get('a/b'))).toBeUndefined();
  });

  it('goes on after scripts were flushed', async () => {
    const one = state();
    expect(await one.log.append('a/log', 'first')).toBe(1);
    await server.cli('script', 'flush');
    expect(await one.log.append('a/log', 'second')).toBe(2);
  });

  it('goes on after a subscriber or a status listener throws', async () => {
    const errors: unknown[] = [];
    const one = state({
      onError: (error) => {
        errors.push(error);
        throw new Error('of the observer');
      },
    });
    const thrown = new Error('of the listener');
    one.onStatus(() => {
      throw thrown;
    });
    await one.kv.put('a/b', 'x');
    const lost = reached(one, 'unavailable');
    await server.cli('client', 'kill', 'type', 'normal');
    await lost;
    await reached(one, 'ready');
    expect(errors).toContain(thrown);
  });
});
