import { defineNotification } from '@tenon/mcp-protocol';
import { expect, it, onTestFinished } from 'vitest';
import { settled } from '../../../testing/src/fake-clock.js';
import { latestHandshake, latestStateless, WirePeer } from '../../test/wire-peer.js';
import { createServer, type ServerOptions } from '../index.js';
import { defineExtension } from './define-extension.js';
import type { ExtensionHost, ServerContributions } from './extension.js';

const id = 'com.example/jobs';
const changed = defineNotification('notifications/jobs/changed');

/** A server with an extension that publishes. */
function publishing(more: Partial<ServerContributions> = {}, options: ServerOptions = {}) {
  let host: ExtensionHost | undefined;
  const start = (given: ExtensionHost): void => {
    host = given;
  };
  const extension = defineExtension({ id, clientDeclares: false, start, ...more });
  const reported: string[] = [];
  const onError = (error: unknown): void => void reported.push((error as Error).message);
  const server = createServer(
    { name: 'test', version: '1' },
    { onError, ...options, extensions: [extension] },
  );
  onTestFinished(() => server.close());
  const publish: ExtensionHost['publish'] = async (...given) => {
    await host?.publish(...given);
    await settled();
  };
  return { server: server as never, publish, reported };
}

const told = (peer: WirePeer) => peer.received.filter(({ method }) => method === changed.name).length;

it('a notification without a filter reaches listen streams with any filter of the extension', async () => {
  const { server, publish } = publishing({ filters: { jobs: { check: () => undefined } } });
  const [listening, other] = [
    await WirePeer.open(server, latestStateless),
    await WirePeer.open(server, latestStateless),
  ];
  listening.send('subscriptions/listen', { notifications: { jobs: ['a'] } });
  other.send('subscriptions/listen', { notifications: { toolsListChanged: true } });
  await listening.heard('notifications/subscriptions/acknowledged');
  await publish(changed, {}, { matches: (jobs) => (jobs as string[]).includes('b') });
  expect([told(listening), told(other)]).toEqual([0, 0]);
  await publish(changed, {});
  expect([told(listening), told(other)]).toEqual([1, 0]);
});

it('reports a notification once when the extension has no filter by which clients could request it', async () => {
  const { server, publish, reported } = publishing();
  await WirePeer.open(server, latestHandshake);
  await publish(changed, {}, { session: 'x' });
  expect(reported).toEqual([]);
  for (let time = 0; time < 2; time++) await publish(changed, {});
  expect(reported).toEqual([
    `Extension "${id}": ${changed.name} reaches no client in 2026-07-28, where clients request notifications by a filter. ` +
      'Add a member to "filters" of the extension at both ends, and watch it: client.watch({ filters: { ... } }, listener).',
  ]);
});

it('reports nothing when the server has only revisions with sessions', async () => {
  const { server, publish, reported } = publishing({}, { revisions: [latestHandshake.id] });
  await WirePeer.open(server, latestHandshake);
  await publish(changed, {});
  expect(reported).toEqual([]);
});
