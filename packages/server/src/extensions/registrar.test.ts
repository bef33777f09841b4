import { expect, test } from 'vitest';
import { latestStateless, WirePeer } from '../../test/wire-peer.js';
import { createServer } from '../server.js';
import { defineExtension } from './define-extension.js';
import type { EntryRegistrar } from './extension.js';

function serverWith(): { server: ReturnType<typeof createServer>; entries: EntryRegistrar } {
  let kept: EntryRegistrar | undefined;
  const pages = defineExtension({
    id: 'com.example/pages',
    register(entries) {
      kept = entries;
      entries.resource('page://one', { name: 'one' }, () => 'x');
      entries.tool('turn', {}, () => 'x');
      entries.prompt('read', {}, () => 'x');
    },
  });
  const server = createServer({ name: 'test', version: '1' }, { extensions: [pages] });
  if (kept === undefined) throw new Error('register was not called');
  return { server, entries: kept };
}

test('an extension registers and removes entries while the server runs, and clients are notified', async () => {
  const { server, entries } = serverWith();
  const peer = await WirePeer.open(server, latestStateless);
  peer.send('subscriptions/listen', {
    notifications: { resourcesListChanged: true, resourceSubscriptions: ['page://two'] },
  });
  await peer.heard('notifications/subscriptions/acknowledged');
  entries.resource('page://two', { name: 'two' }, () => 'y');
  await peer.heard('notifications/resources/list_changed');
  entries.resourceUpdated('page://two');
  expect((await peer.heard('notifications/resources/updated')).params).toMatchObject({ uri: 'page://two' });
  expect(entries.remove('resource', 'page://one')).toBe(true);
  expect((await peer.request('resources/list')).result?.resources).toMatchObject([{ uri: 'page://two' }]);
});

test('an extension removes only entries of its own', async () => {
  const { server, entries } = serverWith();
  server.tool('theirs', {}, () => 'x');
  expect(entries.remove('tool', 'theirs')).toBe(false);
  expect(entries.remove('tool', 'turn')).toBe(true);
  expect(entries.remove('tool', 'turn')).toBe(false);
  expect(entries.remove('prompt', 'read')).toBe(true);
  const peer = await WirePeer.open(server, latestStateless);
  expect((await peer.request('tools/list')).result?.tools).toMatchObject([{ name: 'theirs' }]);
});
