import { execFileSync } from 'node:child_process';
import { createClient } from '@redis/client';
import type { State } from '@tenon/mcp-state';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RedisServer, startRedis } from '../../../tooling/suite/services/redis-server.js';
import { Collector, unlimited } from '../test/observed.js';
import type { RedisStateOptions } from './redis-options.js';
import { openState, redisState, schedule } from './redis-state.js';

let server: RedisServer;

beforeAll(async () => {
  server = await startRedis();
});
afterAll(() => server.stop());

async function withState(options: RedisStateOptions, use: (state: State) => Promise<void>): Promise<void> {
  const state = redisState({ ...unlimited, ...options });
  try {
    await use(state);
  } finally {
    await state.close();
  }
}

/** Calls everything that sends a command of its own. */
async function useAll({ kv, log, bus, leases }: State): Promise<void> {
  const lease = await leases.acquire('acl/one', 60_000);
  const version = await kv.put('acl/one/a', 'x', { ttl: 60_000, fence: lease });
  const next = await kv.compareAndSet('acl/one/a', 'y', { expected: version });
  expect([await kv.touch('acl/one/a', 60_000), (await kv.get('acl/one/a'))?.value]).toEqual([true, 'y']);
  expect(await kv.delete('acl/one/a', next)).toBe(true);
  await log.append('acl/one/a', 'x', { keep: { entries: 1, age: 60_000 } });
  await log.append('acl/one/a', 'y', { keep: { entries: 1 }, ttl: 60_000 });
  expect((await log.read('acl/one/a', 0)).last).toBe(2);
  await log.trim('acl/one/a', { entries: 0 });
  expect(await log.delete('acl/one/a')).toBe(true);
  const collector = new Collector();
  const end = await bus.subscribe('acl/one/topic', collector);
  await bus.publish('acl/one/topic', 'message');
  await collector.has('message');
  await end();
  expect([await lease?.renew(60_000), await lease?.release()]).toEqual([true, true]);
}

it('works for a user with no more rights than the README lists', async () => {
  const direct = [
    'get',
    'set',
    'pexpire',
    'unlink',
    'evalsha',
    'eval',
    'publish',
    'subscribe',
    'unsubscribe',
  ];
  const scripts = [
    'exists',
    'del',
    'getrange',
    'hset',
    'hmget',
    'hget',
    'hstrlen',
    'hdel',
    'persist',
    'time',
  ];
  const commands = [...direct, ...scripts, 'ping', 'hello', 'client|setname'].map((name) => `+${name}`);
  const rights = ['on', '>secret', '~tenon:*', '&tenon:*', '-@all', ...commands];
  await server.cli('acl', 'setuser', 'tenon', 'reset', ...rights);
  await withState({ url: server.url.replace('//', '//tenon:secret@') }, useAll);
});

it('separates states with different prefixes and databases', async () => {
  await withState({ url: server.url }, async (one) => {
    await one.kv.put('db/a', 'one');
    for (const other of [{ prefix: 'other' }, { connection: { database: 1 } }])
      await withState({ url: server.url, ...other }, async ({ kv }) => {
        expect(await kv.get('db/a')).toBeUndefined();
      });
  });
});

it('uses the options of a client, and leaves the client as it is', async () => {
  const client = createClient({ url: `${server.url}/2`, name: 'ours' });
  await client.connect();
  try {
    await withState({ client }, async (state) => {
      await state.kv.put('client/a', 'x');
      expect(await client.exists('tenon:{client/a}:kv')).toBe(1);
      const names = (await server.cli('client', 'list')).match(/name=ours/g);
      expect(names).toHaveLength(2);
    });
    expect(await client.ping()).toBe('PONG');
  } finally {
    client.destroy();
  }
});

it('reads an answer that arrived while the process was busy, whatever its time limit', async () => {
  let limit: number = unlimited.timeout;
  const state = openState({ url: server.url, ...unlimited }, (task, ms) =>
    schedule(task, Math.min(ms, limit)),
  );
  try {
    await state.kv.put('busy/a', 'x');
    limit = 1;
    const answer = state.kv.get('busy/a');
    // The command leaves with the end of the turn; the answer arrives while the process waits for another client.
    await new Promise((resolve) => setImmediate(resolve));
    execFileSync('redis-cli', ['-p', `${server.port}`, 'ping']);
    expect((await answer)?.value).toBe('x');
  } finally {
    await state.close();
  }
});
