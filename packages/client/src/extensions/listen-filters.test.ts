import type { UnknownObject } from '@tenon/mcp-protocol';
import { revision20251125, revision20260728 } from '@tenon/mcp-protocol/internal';
import { expect, it } from 'vitest';
import { linked } from '../../test/linked.js';
import { type Reply, ScriptedServer } from '../../test/scripted-server.js';
import { serverScript } from '../../test/scripts.js';
import { defineExtension } from './define-extension.js';

const id = 'com.example/review';
const subscriptionId = 'io.modelcontextprotocol/subscriptionId';
const extensions = [defineExtension({ id, filters: ['acmeTopics', 'acmeUsers'] })];
const capabilities = { tools: { listChanged: true }, extensions: { [id]: {} } };

/** Acknowledges these filters, or what was asked. */
const listening = (agreed?: UnknownObject) => {
  const reply: Reply = ({ notifications }, peer, requestId) => {
    const _meta = { [subscriptionId]: requestId };
    const params = { notifications: agreed ?? notifications, _meta };
    peer.notify('notifications/subscriptions/acknowledged', params);
    return undefined;
  };
  return new ScriptedServer(serverScript(revision20260728, { 'subscriptions/listen': reply }, capabilities));
};

it('sends filters of extensions, and shows what the server honours', async () => {
  const server = listening({ toolsListChanged: true, acmeTopics: ['a'], acmeOthers: ['z'] });
  const client = await linked(server, { extensions });
  const filters = { acmeTopics: ['a', 'b'], acmeUsers: ['ada'] };
  const watch = await client.watch({ tools: true, filters }, () => {});
  expect(server.peer.paramsOf('subscriptions/listen')).toMatchObject([
    { notifications: { toolsListChanged: true, acmeTopics: ['a', 'b'], acmeUsers: ['ada'] } },
  ]);
  expect(watch.honoured).toEqual({ tools: true, filters: { acmeTopics: ['a'] } });
  await watch.close();
  expect(watch.honoured).toEqual({});
});

it('watches by filters of extensions alone', async () => {
  const client = await linked(listening(), { extensions });
  const watch = await client.watch({ filters: { acmeTopics: ['a'] } }, () => {});
  expect(watch.honoured).toEqual({ filters: { acmeTopics: ['a'] } });
  const none = await linked(listening({}), { extensions });
  await expect(none.watch({ filters: { acmeTopics: ['a'] } }, () => {})).rejects.toMatchObject({
    reason: 'capability-missing',
  });
});

it('honours no filter of extensions in a session, where their notifications come in any case', async () => {
  const server = new ScriptedServer(serverScript(revision20251125, {}, capabilities));
  const client = await linked(server, { extensions });
  const watch = await client.watch({ filters: { acmeTopics: ['a'] } }, () => {});
  expect(watch.honoured).toEqual({});
  const more = await client.watch({ tools: true, filters: { acmeTopics: ['a'] } }, () => {});
  expect(more.honoured).toEqual({ tools: true });
  expect(server.peer.methods).toEqual(['server/discover', 'initialize', 'notifications/initialized']);
});

it.each([revision20251125, revision20260728])(
  'rejects a filter when the server does not declare its extension ($id)',
  async (revision) => {
    const server = new ScriptedServer(serverScript(revision, {}, { tools: {} }));
    const client = await linked(server, { extensions });
    await expect(client.watch({ filters: { acmeTopics: ['a'] } }, () => {})).rejects.toMatchObject({
      reason: 'capability-missing',
      message: `The extension "${id}", which the filter "acmeTopics" needs, is not in use: the server did not declare it.`,
    });
  },
);

it('rejects a filter of no extension, and names those there are', async () => {
  const watch = { filters: { toString: ['a'] } };
  const client = await linked(listening(), { extensions });
  await expect(client.watch(watch, () => {})).rejects.toThrow(
    'watch: no extension of this client has a filter "toString". There are: acmeTopics, acmeUsers.',
  );
  const bare = await linked(listening());
  await expect(bare.watch(watch, () => {})).rejects.toThrow('There are none.');
});
