import { otherBounds } from '@tenon/foundation';
import { expect, test } from 'vitest';
import { shows } from '../../../../../tooling/suite/shows.js';
import { latestHandshake, latestStateless, WirePeer } from '../../../test/wire-peer.js';
import { createServer } from '../../server.js';

const info = { name: 'test', version: '1' };
const subscriptionId = 'io.modelcontextprotocol/subscriptionId';

function listed() {
  return createServer(info)
    .tool('one', {}, () => 'x')
    .resource('a://a', {}, () => 'x');
}

test('a listen stream acknowledges first and carries its id on every frame', async () => {
  shows(
    '2026-07-28/basic/index/meta-subscription-id',
    '2026-07-28/basic/patterns/subscriptions/only-requested',
    '2026-07-28/basic/patterns/subscriptions/acknowledged-first',
    '2026-07-28/basic/patterns/subscriptions/nothing-before',
    '2026-07-28/basic/patterns/subscriptions/acknowledged-subset',
    '2026-07-28/basic/patterns/subscriptions/id-on-all',
    '2026-07-28/server/tools/list-changed',
  );
  const server = listed();
  const peer = await WirePeer.open(server, latestStateless);
  const notifications = {
    toolsListChanged: true,
    promptsListChanged: true,
    resourceSubscriptions: ['a://a'],
  };
  const id = peer.send('subscriptions/listen', { notifications });
  const acknowledged = await peer.heard('notifications/subscriptions/acknowledged');
  // The server has no prompts, so it does not promise to tell of them.
  expect(acknowledged.params).toEqual({
    notifications: { toolsListChanged: true, resourceSubscriptions: ['a://a'] },
    _meta: { [subscriptionId]: id },
  });
  server.tool('two', {}, () => 'x');
  server.tool('three', {}, () => 'x');
  server.resource('a://b', {}, () => 'x');
  server.resourceUpdated('a://a');
  expect((await peer.heard('notifications/resources/updated')).params).toEqual({
    uri: 'a://a',
    _meta: { [subscriptionId]: id },
  });
  const heard = peer.received.filter((one) => one.method !== undefined).map((one) => one.method);
  expect(heard).toEqual([
    'notifications/subscriptions/acknowledged',
    'notifications/tools/list_changed',
    'notifications/resources/updated',
  ]);
});

test('a cancelled stream is silent and gets no answer', async () => {
  shows(
    '2026-07-28/basic/patterns/subscriptions/client-ends',
    '2026-07-28/basic/transports/stdio/silent-after-cancel',
  );
  const server = listed();
  const peer = await WirePeer.open(server, latestStateless);
  const id = peer.send('subscriptions/listen', { notifications: { toolsListChanged: true } });
  await peer.heard('notifications/subscriptions/acknowledged');
  peer.notify('notifications/cancelled', { requestId: id });
  await peer.request('server/discover');
  server.tool('two', {}, () => 'x');
  await peer.request('server/discover');
  expect(
    peer.received.filter((one) => one.id === id || one.method === 'notifications/tools/list_changed'),
  ).toEqual([]);
});

test('closing the server answers each stream and then cancels it on a shared channel', async () => {
  shows(
    '2026-07-28/basic/patterns/cancellation/server-cancels-listen',
    '2026-07-28/basic/patterns/cancellation/server-references-listen',
    '2026-07-28/basic/patterns/subscriptions/server-ends',
    '2026-07-28/basic/patterns/subscriptions/graceful-result',
  );
  const server = listed();
  const peer = await WirePeer.open(server, latestStateless);
  const id = peer.send('subscriptions/listen', { notifications: { toolsListChanged: true } });
  await peer.heard('notifications/subscriptions/acknowledged');
  await server.close();
  const [answer, cancelled] = peer.received.slice(-2);
  expect(answer).toMatchObject({ id, result: { resultType: 'complete', _meta: { [subscriptionId]: id } } });
  expect(cancelled).toMatchObject({ method: 'notifications/cancelled', params: { requestId: id } });
});

test('notifies a session of list changes once per turn', async () => {
  const server = listed();
  const peer = await WirePeer.open(server, latestHandshake);
  server.tool('two', {}, () => 'x');
  server.removeTool('one');
  await peer.heard('notifications/tools/list_changed');
  await peer.request('ping');
  expect(peer.received.filter((one) => one.method === 'notifications/tools/list_changed')).toHaveLength(1);
  expect((await peer.request('tools/list')).result?.tools?.map((tool) => tool.name)).toEqual(['two']);
});

test('sends nothing to a disconnected peer and keeps none of its data', async () => {
  shows('2026-07-28/basic/patterns/subscriptions/transport-ends');
  const server = listed();
  const peer = await WirePeer.open(server, latestHandshake);
  await peer.close();
  server.tool('two', {}, () => 'x');
  const other = await WirePeer.open(server, latestHandshake);
  await other.request('ping');
  expect(peer.received.filter((one) => one.method !== undefined)).toEqual([]);
});

test('limits the resources of one stream', async () => {
  const server = createServer(info, { limits: otherBounds({ subscriptions: 2 }) }).resource(
    'a://a',
    {},
    () => 'x',
  );
  const peer = await WirePeer.open(server, latestStateless);
  const notifications = { resourceSubscriptions: ['a://a', 'a://b', 'a://c'] };
  const answer = await peer.request('subscriptions/listen', { notifications });
  expect(answer.error).toEqual({
    code: -32602,
    message: 'params.notifications.resourceSubscriptions: at most 2 resources',
  });
});

test('limits the open streams of a server, and accepts another when one ends', async () => {
  const server = createServer(info, { limits: otherBounds({ listenStreams: 1 }) }).tool('one', {}, () => 'x');
  const peer = await WirePeer.open(server, latestStateless);
  const first = peer.send('subscriptions/listen', { notifications: {} });
  await peer.heard('notifications/subscriptions/acknowledged');
  const refused = await peer.request('subscriptions/listen', { notifications: {} });
  expect(refused.error).toEqual({
    code: -31001,
    message: 'This server holds 1 listen streams already; try again later.',
  });
  peer.notify('notifications/cancelled', { requestId: first });
  peer.received.length = 0;
  peer.send('subscriptions/listen', { notifications: {} });
  await peer.heard('notifications/subscriptions/acknowledged');
});

test('does not count a stream that was cancelled before it opened', async () => {
  shows('2026-07-28/basic/patterns/cancellation/free-resources');
  const server = createServer(info, { limits: otherBounds({ listenStreams: 1 }) }).tool('one', {}, () => 'x');
  let letOn = () => {};
  const held = new Promise<void>((resolve) => {
    letOn = resolve;
  });
  server.use(async (call, next) => {
    if (call.method === 'subscriptions/listen') await held;
    return next();
  });
  const peer = await WirePeer.open(server, latestStateless);
  const first = peer.send('subscriptions/listen', { notifications: { toolsListChanged: true } });
  peer.notify('notifications/cancelled', { requestId: first });
  await peer.request('server/discover');
  letOn();
  await peer.request('server/discover');
  peer.send('subscriptions/listen', { notifications: { toolsListChanged: true } });
  const heard = await peer.next((one) => one.method !== undefined || one.error !== undefined);
  expect(heard.method).toBe('notifications/subscriptions/acknowledged');
});

test('limits the size of the data kept for a peer', async () => {
  const server = createServer(info).resource('a://a', {}, () => 'x');
  const uri = `a://${'x'.repeat(8_192)}`;
  const session = await WirePeer.open(server, latestHandshake);
  const message = 'expected a URI of at most 8192 characters';
  const refused = await session.request('resources/subscribe', { uri });
  expect(refused.error).toEqual({ code: -32602, message: `params.uri: ${message}` });
  const peer = await WirePeer.open(server, latestStateless);
  const notifications = { resourceSubscriptions: ['a://a', uri] };
  const unreceived = await peer.request('subscriptions/listen', { notifications });
  expect(unreceived.error?.message).toBe(`params.notifications.resourceSubscriptions[1]: ${message}`);
});

test('limits the total size of the data kept for all sessions and streams', async () => {
  const limits = otherBounds({ subscribedText: 64 * 100 });
  const server = createServer(info, { limits }).resource('a://a', {}, () => 'x');
  const uri = (name: number | string, length = 100) => `a://${name}`.padEnd(length, 'x');
  const full = {
    code: -31001,
    message: 'This server remembers as many subscriptions as it can; try again later.',
  };
  const greedy = {
    code: -31001,
    message: 'The URIs and filters of one subscriber may have 100 characters in all; name fewer.',
  };
  const sessions = await Promise.all(
    Array.from({ length: 63 }, () => WirePeer.open(server, latestHandshake)),
  );
  for (const [index, session] of sessions.entries())
    expect((await session.request('resources/subscribe', { uri: uri(index) })).result).toEqual({});
  expect((await sessions[0]?.request('resources/subscribe', { uri: 'a://b' }))?.error).toEqual(greedy);
  const streams = await WirePeer.open(server, latestStateless);
  const listen = (...resourceSubscriptions: string[]) =>
    streams.request('subscriptions/listen', { notifications: { resourceSubscriptions } });
  expect((await listen(uri('both'), 'a://c')).error).toEqual(greedy);
  const id = streams.send('subscriptions/listen', { notifications: { resourceSubscriptions: [uri('all')] } });
  await streams.heard('notifications/subscriptions/acknowledged');
  expect((await listen('a://d')).error).toEqual(full);
  // Whatever ends gives back what it held: a subscription, a session, a stream.
  await sessions[0]?.request('resources/unsubscribe', { uri: uri(0) });
  expect((await sessions[0]?.request('resources/subscribe', { uri: uri('new') }))?.result).toEqual({});
  expect((await listen('a://d')).error).toEqual(full);
  await sessions[1]?.close();
  streams.notify('notifications/cancelled', { requestId: id });
  const later = await Promise.all([WirePeer.open(server), WirePeer.open(server), WirePeer.open(server)]);
  const answers = [];
  for (const peer of later) answers.push(await peer.request('resources/subscribe', { uri: uri('again') }));
  expect(answers.map(({ error }) => error)).toEqual([undefined, undefined, full]);
});
