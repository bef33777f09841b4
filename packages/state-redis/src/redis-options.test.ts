import { expect, it } from 'vitest';
import { KeyLayout } from './key-layout.js';
import type { RedisStateOptions } from './redis-options.js';
import { redisState } from './redis-state.js';

const url = 'redis://127.0.0.1:1';

it.each<readonly [title: string, options: RedisStateOptions | string, message: RegExp]>([
  ['no server', {}, /set exactly one of url, sentinel, cluster, client, not none/],
  ['two servers', { url, cluster: [url] }, /not url, cluster/],
  ['a cluster without nodes', { cluster: [] }, /"cluster" needs at least one node/],
  [
    'sentinels without nodes',
    { sentinel: { name: 'main', nodes: [] } },
    /"sentinel" needs at least one node/,
  ],
  ['a prefix with braces', { url, prefix: 'a{b}' }, /redisState: prefix must be a text without braces/],
  ['a time limit of zero', { url, timeout: 0 }, /timeout must be a positive number/],
  ['a negative time', { url, timeout: -1 }, /timeout must be a positive number/],
  [
    'a misspelt option',
    { url, prefx: 'a' } as object,
    /there is no option "prefx"\. Did you mean "prefix"\?/,
  ],
  ['a URL of another protocol', 'http://127.0.0.1', /protocol|URL/i],
])('rejects %s', (_, options, message) => {
  expect(() => redisState(options)).toThrow(message);
});

it('names keys of a group with one hash tag', () => {
  const keys = new KeyLayout('app');
  expect([
    keys.value('session/abc/record'),
    keys.value('session/abc'),
    keys.log('session/abc/stream/1'),
    keys.channel('session/abc/events'),
    keys.lease('session/abc'),
    keys.fence('session/abc/record'),
  ]).toEqual([
    'app:{session/abc}:kv:record',
    'app:{session/abc}:kv',
    'app:{session/abc}:log:stream/1',
    'app:{session/abc}:bus:events',
    'app:{session/abc}:lease',
    'app:{session/abc}:fence',
  ]);
});
