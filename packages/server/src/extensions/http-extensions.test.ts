import { defineMethod, defineNotification, type Principal } from '@tenon/mcp-protocol';
import { describe, expect, it, onTestFinished } from 'vitest';
import { FakeClock, settled } from '../../../testing/src/fake-clock.js';
import { HttpPeer, type HttpPeerOptions, messagesFrom } from '../../test/http-peer.js';
import {
  handshakeRevisions,
  latestHandshake,
  latestStateless,
  type WireMessage,
} from '../../test/wire-peer.js';
import { toFetchHandler } from '../fetch.js';
import { createServer } from '../server.js';
import { defineExtension, serve } from './define-extension.js';
import type { ExtensionHost, InterceptedCall, ServerContributions } from './extension.js';
import type { ListenCaller } from './offered.js';
import type { SavedCall } from './saved-call.js';

const principal: Principal = {
  id: 'ada',
  issuer: 'https://a.example',
  scopes: ['jobs'],
  claims: { team: 'a' },
};
const ask = defineMethod('jobs/ask');
const changed = defineNotification('notifications/jobs/changed');
const withSessions = handshakeRevisions.filter(({ rules }) => rules.resumable);

/** A server over HTTP with one extension. */
function serving(more: Partial<ServerContributions>, options: Parameters<typeof toFetchHandler>[1] = {}) {
  let host: ExtensionHost | undefined;
  const extension = defineExtension({
    id: 'com.example/jobs',
    clientDeclares: false,
    start: (given) => {
      host = given;
    },
    ...more,
  });
  const server = createServer({ name: 'test', version: '1' }, { extensions: [extension], onError: () => {} });
  server.tool('job', { scopes: ['jobs'] }, (_input, ctx) => JSON.stringify(ctx.auth?.claims));
  const handler = toFetchHandler(server, { authenticate: () => principal, ...options });
  onTestFinished(() => handler.drain());
  const call: typeof fetch = (input, init) => handler(new Request(input, init));
  const open = (given: HttpPeerOptions = {}) =>
    HttpPeer.open('http://localhost/mcp', { fetch: call, ...given });
  return { server, handler, open, host: () => host as ExtensionHost };
}

/** Reads messages until one fits. */
async function until(
  messages: AsyncGenerator<WireMessage>,
  wanted: (one: WireMessage) => boolean,
): Promise<WireMessage | undefined> {
  for (;;) {
    const { value, done } = await messages.next();
    if (done === true || wanted(value)) return value;
  }
}

describe('a call that an extension intercepts over HTTP', () => {
  it.each(withSessions)('has the session id of the transport in $id', async (revision) => {
    let seen: InterceptedCall | undefined;
    const { open } = serving({
      interceptToolCall: (call, next) => {
        seen = call;
        return next();
      },
    });
    const peer = await open({ revision });
    await peer.request('tools/call', { name: 'job' });
    expect(seen?.session).toBe(peer.headers['mcp-session-id']);
  });

  it.each([latestHandshake, latestStateless])('has no session without one in $id', async (revision) => {
    let seen: InterceptedCall | undefined;
    const { open } = serving(
      {
        interceptToolCall: (call, next) => {
          seen = call;
          return next();
        },
      },
      { sessions: false },
    );
    const peer = await open({ revision });
    await peer.request('tools/call', { name: 'job' });
    expect(seen).toBeDefined();
    expect(seen?.session).toBeUndefined();
  });

  it('is saved with its principal, and runs with its scopes and claims', async () => {
    let saved: SavedCall | undefined;
    const { open, host } = serving({
      interceptToolCall: (call) => {
        saved = call.saved();
        return { content: [] };
      },
    });
    const peer = await open({ revision: latestStateless });
    await peer.request('tools/call', { name: 'job' });
    expect(saved?.principal).toEqual(principal);
    const stored = JSON.parse(JSON.stringify(saved)) as SavedCall;
    const ports = { signal: new AbortController().signal };
    expect(await host().run(stored, ports)).toMatchObject({ content: [{ text: '{"team":"a"}' }] });
    const { principal: _, ...anonymous } = stored;
    await expect(host().run({ ...anonymous, anonymous: true }, ports)).rejects.toThrow('scope');
  });
});

it.each(withSessions)('publishes to the stream of one HTTP session in $id', async (revision) => {
  let session: string | undefined;
  const { open, host } = serving({
    interceptToolCall: (call, next) => {
      session = call.session;
      return next();
    },
  });
  const peers = [await open({ revision }), await open({ revision })];
  const streams = await Promise.all(peers.map(async (peer) => messagesFrom(await peer.get())));
  await peers[0]?.request('tools/call', { name: 'job' });
  await host().publish(changed, { of: 1 }, { session: session as string });
  await host().publish(changed, { of: 2 });
  const first = await Promise.all(streams.map((one) => until(one, ({ method }) => method === changed.name)));
  expect(first.map((one) => one?.params)).toEqual([{ of: 1 }, { of: 2 }]);
});

it('names the principal to the filter of an extension', async () => {
  let caller: ListenCaller | undefined;
  const accept = (value: unknown, given: ListenCaller) => {
    caller = given;
    return value;
  };
  const { open } = serving({ filters: { jobs: { check: () => undefined, accept } } });
  const peer = await open({ revision: latestStateless });
  const stop = new AbortController();
  const answer = await peer.send('subscriptions/listen', { notifications: { jobs: [] } });
  const acknowledged = await until(messagesFrom(answer), () => true);
  stop.abort();
  expect(acknowledged?.params?.notifications).toEqual({ jobs: [] });
  expect(caller?.principal).toEqual(principal);
});

it('sends an input request of a method on the stream of its request', async () => {
  const { open } = serving({
    methods: [
      serve(ask, async (_params, ctx) => ({
        response: await ctx.requestInput('roots', {
          method: 'roots/list',
          params: { _meta: { 'com.example/job': 'a' } },
        }),
      })),
    ],
  });
  const peer = await open({ revision: latestHandshake, capabilities: { roots: {} } });
  const messages = messagesFrom(await peer.send('jobs/ask'));
  const sent = await until(messages, ({ method }) => method === 'roots/list');
  expect(sent?.params?._meta).toMatchObject({ 'com.example/job': 'a' });
  await peer.post({ jsonrpc: '2.0', id: sent?.id, result: { roots: [] } });
  const answer = await until(messages, ({ result }) => result !== undefined);
  expect(answer?.result).toEqual({ response: { roots: [] } });
});

describe('the drain of an HTTP handler', () => {
  it('drains extensions first, and waits for them', async () => {
    const order: string[] = [];
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { open, handler } = serving({
      filters: { jobs: { check: () => undefined } },
      drain: () => {
        order.push('drain');
        return released;
      },
    });
    const peer = await open({ revision: latestStateless });
    const stream = messagesFrom(await peer.send('subscriptions/listen', { notifications: {} }));
    const drained = handler.drain().then(() => order.push('drained'));
    await until(stream, ({ result }) => result !== undefined);
    order.push('stream ended');
    release();
    await drained;
    expect(order).toEqual(['drain', 'stream ended', 'drained']);
  });

  it('does not wait longer for extensions than for requests', async () => {
    const clock = new FakeClock();
    const { open, handler } = serving(
      { methods: [], drain: () => new Promise<void>(() => {}) },
      { clock, limits: { drain: 3_000 } },
    );
    const peer = await open({ revision: latestStateless });
    await peer.request('tools/call', { name: 'job' });
    let isDrained = false;
    void handler.drain().then(() => {
      isDrained = true;
    });
    await clock.armed(3_000);
    await settled();
    expect(isDrained).toBe(false);
    await clock.advance(3_000);
    await settled();
    expect(isDrained).toBe(true);
  });
});
