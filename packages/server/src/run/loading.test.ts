import { expect, test } from 'vitest';
import { latestStateless, WirePeer } from '../../test/wire-peer.js';
import { createServer } from '../server.js';
import { loadedRunCode } from './loading.js';

// One story, in a process of its own: once loaded, the code stays.
test('loads the code of input requests with the first input request of a client without capabilities, and not before', async () => {
  const server = createServer({ name: 'test', version: '1' }, { stateKeys: ['1'.repeat(64)] })
    .tool('plain', {}, () => 'x')
    .tool('name', {}, async (_, ctx) => {
      const roots = await ctx.roots('where');
      return `${roots.length} roots`;
    });
  const silent = await WirePeer.open(server, latestStateless);
  expect((await silent.request('tools/call', { name: 'plain' })).result?.content?.[0]?.text).toBe('x');
  expect(loadedRunCode()).toBeUndefined();

  expect((await silent.request('tools/call', { name: 'name' })).error?.code).toBe(-32021);
  expect(loadedRunCode()).toBeDefined();
});
