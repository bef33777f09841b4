import { otherBounds } from '@tenon/foundation';
import { serverPort } from '@tenon/mcp-protocol';
import { type State, StateError } from '@tenon/mcp-state';
import { expect, it, vi } from 'vitest';
import { settled } from '../../../testing/src/fake-clock.js';
import { HttpPeer, messagesFrom } from '../../test/http-peer.js';
import { TestProcesses, toldOf } from '../../test/processes.js';
import { SharedSession, type StoredSettings } from '../../test/shared-session.js';
import { latestHandshake, WirePeer } from '../../test/wire-peer.js';
import { toFetchHandler } from '../fetch.js';
import type { Server } from '../server.js';

const tools = 'notifications/tools/list_changed';
const resources = 'notifications/resources/list_changed';
const message = 'notifications/message';

function full(server: Server): Server {
  return server.tool('one', {}, () => 'x').resource('a://a', {}, () => 'x') as Server;
}

/** Two servers that serve the same session; the first is its home. */
async function two(settings = {}, options = {}) {
  const processes = new TestProcesses();
  const [here, there] = [full(await processes.server(options)), full(await processes.server(options))];
  const stored: StoredSettings = { settings };
  const home = new SharedSession(here, stored);
  const other = new SharedSession(there, stored);
  other.isServedElsewhere = true;
  return { processes, here, there, stored, home, other };
}

const messagesOf = (session: SharedSession) => session.received.map(({ params }) => params?.data);

it('receives each change and log message at its home only', async () => {
  const { here, there, home, other } = await two({ subscriptions: ['a://a'] });
  for (const server of [here, there]) {
    server.resourceUpdated('a://a');
    server.resourceListChanged();
    server.log('error', 'Fire');
    expect((await toldOf(home)).sort()).toEqual(['a://a', message, resources].sort());
    expect(await toldOf(other)).toEqual([]);
  }
});

it('receives changes when the client sent all messages after its handshake to another process', async () => {
  const here = full(await new TestProcesses().server());
  const home = new SharedSession(here, { settings: {} }, true);
  const clientInfo = { name: 'peer', version: '1' };
  await home.request('initialize', { protocolVersion: latestHandshake.id, capabilities: {}, clientInfo });
  home.end.adopt({ subscriptions: ['a://a'] });
  here.resourceUpdated('a://a');
  here.resourceListChanged();
  expect((await toldOf(home)).sort()).toEqual(['a://a', resources]);
});

it('has the settings that the client has made in another process when it is taken up', async () => {
  const { here, home } = await two({ logLevel: 'critical', subscriptions: ['a://a'] });
  here.log('error', 'Smoke');
  here.log('critical', 'Fire');
  expect(messagesOf(home)).toEqual(['Fire']);
  home.received.length = 0;
  for (const uri of ['a://a', 'a://b']) here.resourceUpdated(uri);
  expect(await toldOf(home)).toEqual(['a://a']);
});

it('stores log level and subscriptions before it answers', async () => {
  const { stored, home } = await two();
  const level = home.request('logging/setLevel', { level: 'debug' });
  expect(home.end.peer.logLevel).toBeUndefined();
  expect((await level).result).toEqual({});
  for (const uri of ['a://a', 'a://b', 'a://a']) await home.request('resources/subscribe', { uri });
  await home.request('resources/unsubscribe', { uri: 'a://b' });
  expect(stored.settings).toEqual({ logLevel: 'debug', subscriptions: ['a://a'] });
  expect(home.end.peer.logLevel).toBe('debug');
});

it('answers that the client may try again later when the state fails, and changes nothing', async () => {
  const { here, stored, home } = await two({ subscriptions: ['a://a'] });
  stored.failure = new StateError('unavailable', 'State: away.');
  const calls: [string, object][] = [
    ['logging/setLevel', { level: 'emergency' }],
    ['resources/subscribe', { uri: 'a://b' }],
    ['resources/unsubscribe', { uri: 'a://a' }],
  ];
  for (const [method, params] of calls)
    expect((await home.request(method, params)).error).toEqual({
      code: -31001,
      message: 'The settings of this session cannot be stored now; try again later.',
    });
  for (const uri of ['a://a', 'a://b']) here.resourceUpdated(uri);
  here.log('error', 'Fire');
  expect(await toldOf(home)).toEqual([message, 'a://a']);
});

it('hides other failures of the transport', async () => {
  const { processes, stored, home } = await two();
  stored.failure = new RangeError('secret');
  expect((await home.request('logging/setLevel', { level: 'debug' })).error?.message).toBe('Internal error');
  expect(processes.errors).toEqual([stored.failure]);
});

it('adopts the settings that the client makes in another process', async () => {
  const { here, home } = await two({ subscriptions: ['a://a', 'a://b'] });
  home.end.adopt({ logLevel: 'alert', subscriptions: ['a://b', 'a://c'] });
  for (const uri of ['a://a', 'a://b', 'a://c']) here.resourceUpdated(uri);
  here.log('critical', 'Smoke');
  expect(await toldOf(home)).toEqual(['a://b', 'a://c']);
  home.end.adopt({});
  for (const uri of ['a://a', 'a://b', 'a://c']) here.resourceUpdated(uri);
  expect(await toldOf(home)).toEqual([]);
});

it('counts only the text of the adopted subscriptions', async () => {
  const { processes, home } = await two({}, { limits: otherBounds({ subscribedText: 64 * 20 }) });
  for (const uri of ['a://fifteen-long', 'a://fifteen-more']) home.end.adopt({ subscriptions: [uri] });
  expect(processes.errors).toEqual([]);
});

it('reports settings that it cannot adopt, and adopts the others', async () => {
  const { processes, here, home } = await two(
    {},
    { limits: otherBounds({ subscriptions: 2, subscribedText: 64 * 20 }) },
  );
  const long = `a://${'a'.repeat(8_192)}`;
  const subscriptions = ['a://a', long, 5, 'a://this-is-too-much', 'a://b', 'a://c'] as string[];
  home.end.adopt({ logLevel: 'loud' as 'debug', subscriptions });
  expect(processes.errors).toHaveLength(2);
  for (const uri of ['a://a', 'a://b', 'a://c']) here.resourceUpdated(uri);
  here.log('info', 'Fine');
  expect(await toldOf(home)).toEqual([message, 'a://a', 'a://b']);
});

it('limits number and text of the stored subscriptions', async () => {
  const { stored, home } = await two(
    {},
    { limits: otherBounds({ subscriptions: 2, subscribedText: 64 * 20 }) },
  );
  const refusal = async (uri: string) => (await home.request('resources/subscribe', { uri })).error?.message;
  // Made in another process: this one has not adopted it yet.
  stored.settings = { subscriptions: ['a://a'] };
  expect(await refusal('a://this-is-too-much')).toContain('20 characters in all');
  expect(await refusal('a://b')).toBeUndefined();
  expect(await refusal('a://c')).toContain('may subscribe to 2 resources');
  expect(stored.settings.subscriptions).toEqual(['a://a', 'a://b']);
});

it('keeps the later one of two log levels that its client sets at two processes at the same time', async () => {
  const processes = new TestProcesses();
  const servers = [await processes.server(), await processes.server()];
  const handlers = servers.map((server) => toFetchHandler(server));
  let at = 0;
  const peer = await HttpPeer.open('http://localhost/mcp', {
    fetch: (input, init) =>
      handlers[at]?.serve(new Request(input, init), {}) ?? Promise.reject(new Error('No process.')),
  });
  const bus = servers[0]?.[serverPort].processes?.state.bus as State['bus'];
  const publish = bus.publish.bind(bus);
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  vi.spyOn(bus, 'publish').mockImplementation((topic, text) => held.then(() => publish(topic, text)));
  const earlier = peer.request('logging/setLevel', { level: 'debug' });
  await settled();
  at = 1;
  await peer.request('logging/setLevel', { level: 'error' });
  await settled();
  release();
  expect((await earlier).result).toEqual({});
  at = 0;
  const received = messagesFrom(await peer.get());
  for (const level of ['info', 'error'] as const) servers[0]?.log(level, level);
  expect((await received.next()).value).toMatchObject({ params: { level: 'error' } });
});

it('keeps no text of a session that closes while its settings are stored', async () => {
  const { processes, home, here } = await two({}, { limits: otherBounds({ subscribedText: 64 * 20 }) });
  const text = 'a://fifteen-long';
  void home.request('resources/subscribe', { uri: text });
  await home.close();
  await settled();
  home.end.adopt({ subscriptions: [text] });
  // 64 sessions have all of the text: a share that is not released is missing.
  const sessions = Array.from({ length: 64 }, () => new SharedSession(here));
  for (const session of sessions)
    expect(
      (await session.request('resources/subscribe', { uri: 'a://twenty-long-abcd' })).error,
    ).toBeUndefined();
  expect(processes.errors).toEqual([]);
});

it('receives everything that it listens to when messages were missed, within its access control', async () => {
  const { here, home, other } = await two({ subscriptions: ['a://a', 'a://hidden', 'a://unknown'] });
  here.resource('a://hidden', { visible: () => false }, () => 'x');
  await settled();
  home.received.length = 0;
  home.end.missed();
  expect(await toldOf(home)).toEqual([tools, resources, 'a://a', 'a://unknown']);
  other.end.missed();
  expect(await toldOf(other)).toEqual([]);
  other.isServedElsewhere = false;
  other.end.missed();
  expect(await toldOf(other)).toContain('a://a');
});

it('receives everything after an interruption at its home only', async () => {
  const { processes, home, other } = await two({ subscriptions: ['a://a'] });
  processes.memory.interrupt();
  processes.memory.restore();
  expect(await toldOf(home)).toEqual([tools, resources, 'a://a']);
  expect(await toldOf(other)).toEqual([]);
});

it('sets the log level without a turn when one process serves the session', async () => {
  const { here } = await two();
  const session = new SharedSession(here);
  session.shared = undefined;
  expect(session.answer('logging/setLevel', { level: 'debug' })).toBeTypeOf('string');
  expect(session.answer('resources/subscribe', { uri: 'a://a' })).toBeTypeOf('string');
});

it('counts log messages of all processes for the rate of the session', async () => {
  const { processes, here, there, home } = await two({}, { limits: otherBounds({ logsPerSecond: 3 }) });
  for (let number = 0; number < 5; number++) there.log('error', number);
  await settled();
  expect(messagesOf(home)).toEqual([0, 1, 2]);
  await processes.clock.advance(1_000);
  here.log('error', 'after');
  await settled();
  expect(messagesOf(home).slice(3)).toEqual(['after']);
});

it('sends log messages redacted over the bus, and drops malformed ones', async () => {
  const { processes, there, home } = await two();
  const texts: string[] = [];
  await processes.state.bus.subscribe('cluster/nodes', {
    message: (text) => {
      texts.push(text);
    },
    gap: () => {},
  });
  there.log('error', { password: 'hunter2', ok: 1 }, 'auth');
  await settled();
  expect(texts.join()).not.toContain('hunter2');
  expect(home.received.at(-1)?.params).toMatchObject({ level: 'error', logger: 'auth', data: { ok: 1 } });
  home.received.length = 0;
  const malformed = [null, {}, { level: 'loud', data: 1 }, { level: 'error', logger: 1, data: 1 }];
  for (const body of malformed) await processes.inject('log', body);
  expect(home.received).toEqual([]);
  expect(processes.errors).toHaveLength(2 * malformed.length);
});

it('is notified at another process that an elicitation by URL is complete', async () => {
  const processes = new TestProcesses();
  const [here, there] = [await processes.server(), await processes.server()];
  here.tool('visit', {}, async (_, ctx) => {
    const url = 'https://example.com/pay';
    return (await ctx.elicitUrl('pay', { message: 'Pay', url, elicitationId: 'visit-1' })).action;
  });
  const peer = await WirePeer.open(here, latestHandshake, { elicitation: { url: {} } });
  const call = peer.request('tools/call', { name: 'visit' });
  peer.answer((await peer.heard('elicitation/create')).id, { action: 'accept' });
  await call;
  expect(there.elicitationCompleted('visit-1')).toBe(false);
  expect((await peer.heard('notifications/elicitation/complete')).params).toEqual({
    elicitationId: 'visit-1',
  });
  peer.received.length = 0;
  there.elicitationCompleted('visit-1');
  there.elicitationCompleted('x'.repeat(2_000));
  await processes.inject('elicitation-complete', { elicitationId: 1 });
  expect(await toldOf(peer)).toEqual([]);
  expect(processes.errors).toHaveLength(2);
});
