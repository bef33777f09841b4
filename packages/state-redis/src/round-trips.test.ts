import type { State } from '@tenon/mcp-state';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RedisServer, startRedis } from '../../../tooling/suite/services/redis-server.js';
import { Collector, unlimited } from '../test/observed.js';
import { redisState } from './redis-state.js';

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

/** Returns the commands that clients send during a call. Commands of scripts are not counted: they travel with the script. */
async function commandsOf(call: () => Promise<unknown>): Promise<readonly string[]> {
  // The text of a script is sent once to each server.
  await call();
  await server.cli('config', 'resetstat');
  await call();
  const stats = await server.cli('info', 'commandstats');
  const own = /^cmdstat_(?!config|info|client|command|hello|ping)(\S+?):calls=(\d+)/gm;
  const counted = [...stats.matchAll(own)].map(([, name, calls]) => [name, Number(calls)] as const);
  const script = counted.find(([name]) => name === 'evalsha');
  const sent = script === undefined ? counted : [script];
  return sent.flatMap(([name = '', calls]) => Array.from({ length: calls }, () => name));
}

const fence = { name: 'trip/one', token: Number.MAX_SAFE_INTEGER };

it.each<readonly [title: string, command: string, call: (state: State) => Promise<unknown>]>([
  ['get', 'get', ({ kv }) => kv.get('trip/one/a')],
  ['put', 'set', ({ kv }) => kv.put('trip/one/a', 'x', { ttl: 60_000 })],
  ['put with a fence', 'evalsha', ({ kv }) => kv.put('trip/one/a', 'x', { ttl: 60_000, fence })],
  [
    'compareAndSet of a new key',
    'set',
    ({ kv }) => kv.compareAndSet('trip/one/b', 'x', { expected: undefined }),
  ],
  ['compareAndSet', 'evalsha', ({ kv }) => kv.compareAndSet('trip/one/a', 'x', { expected: 'v', fence })],
  ['touch', 'pexpire', ({ kv }) => kv.touch('trip/one/a', 60_000)],
  ['delete', 'unlink', ({ kv }) => kv.delete('trip/one/a')],
  ['delete of a version', 'evalsha', ({ kv }) => kv.delete('trip/one/a', 'v')],
  ['append', 'evalsha', ({ log }) => log.append('trip/one/a', 'x', { keep: { entries: 5 }, fence })],
  ['read', 'evalsha', ({ log }) => log.read('trip/one/a', 0)],
  ['trim', 'evalsha', ({ log }) => log.trim('trip/one/a', { entries: 1 })],
  ['delete of a log', 'unlink', ({ log }) => log.delete('trip/one/a')],
  ['publish', 'publish', ({ bus }) => bus.publish('trip/one/a', 'x')],
  ['acquire', 'evalsha', ({ leases }) => leases.acquire('trip/two', 60_000)],
])('sends one command for %s: %s', async (_, command, call) => {
  expect(await commandsOf(() => call(state))).toEqual([command]);
});

it('sends one command for renew and release', async () => {
  const lease = await state.leases.acquire('trip/three', 60_000);
  expect(await commandsOf(async () => lease?.renew(60_000))).toEqual(['evalsha']);
  expect(await commandsOf(async () => lease?.release())).toEqual(['evalsha']);
});

it('sends one command for the first and the last subscriber of a topic, and none for the others', async () => {
  await state.bus.subscribe('trip/other', new Collector());
  await server.cli('config', 'resetstat');
  const ends = await Promise.all(
    Array.from({ length: 5 }, () => state.bus.subscribe('trip/topic', new Collector())),
  );
  for (const end of ends) await end();
  const stats = await server.cli('info', 'commandstats');
  expect([...stats.matchAll(/^cmdstat_(\w*subscribe):calls=(\d+)/gm)].map(([, ...count]) => count)).toEqual(
    expect.arrayContaining([
      ['subscribe', '1'],
      ['unsubscribe', '1'],
    ]),
  );
});
