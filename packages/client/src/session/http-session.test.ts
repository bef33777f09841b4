import { otherBounds } from '@tenon/foundation';
import { SessionError } from '@tenon/mcp-protocol';
import { describe, expect, it } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import { type HttpCall, HttpPeer, modern, sessions } from '../../test/http-peer.js';
import type { StateChange } from './connection-supervisor.js';

const hints = { ttlMs: 0, cacheScope: 'private' };
const done = { content: [] };

function watched() {
  const changes: StateChange[] = [];
  return { changes, onStateChange: (change: StateChange) => void changes.push(change) };
}

/** A server that ends a session on demand. */
async function forgetful(replies: Record<string, (call: HttpCall) => unknown>) {
  let gone = '';
  const rest = sessions(replies);
  const peer = await HttpPeer.start((call) => {
    const id = call.headers['mcp-session-id'];
    return id !== undefined && id === gone ? call.raw(404) : rest(call);
  });
  return { peer, forget: (number: number) => (gone = `session-${number}`) };
}

describe('a session that the server has lost', () => {
  it('is replaced, and the call that found out is sent again, even if it may do something', async () => {
    const { peer, forget } = await forgetful({ 'tools/call': (call) => call.result(done) });
    const { changes, onStateChange } = watched();
    const client = await peer.connect({ onStateChange });
    forget(1);
    expect((await client.callTool('pay')).isError).toBe(false);
    expect(changes.map((change) => change.state)).toEqual(['open', 'reconnecting', 'open']);
    expect(changes[1]?.reason).toMatchObject({ name: 'TransportError', status: 404 });
    const calls = peer.calls.filter((call) => call.name === 'tools/call');
    expect(calls.map((call) => call.headers['mcp-session-id'])).toEqual(['session-1', 'session-2']);
    expect(peer.heard.filter((name) => name === 'initialize')).toHaveLength(2);
  });

  it('has every call sent again that found out at the same time', async () => {
    const { peer, forget } = await forgetful({ 'tools/call': (call) => call.result(done) });
    const client = await peer.connect();
    forget(1);
    const paid = await Promise.all(Array.from({ length: 10 }, () => client.callTool('pay')));
    expect(paid.map(({ isError }) => isError)).toEqual(paid.map(() => false));
    expect(peer.heard.filter((name) => name === 'initialize')).toHaveLength(2);
    expect(peer.heard.filter((name) => name === 'tools/call')).toHaveLength(20);
  });

  it('repeats reads, and rejects a running tool call because it may have been executed', async () => {
    const { peer, forget } = await forgetful({
      'tools/call': () => undefined,
      'resources/read': (call) =>
        call.headers['mcp-session-id'] === 'session-2' && call.result({ contents: [], ...hints }),
      ping: (call) => call.result({}),
    });
    const client = await peer.connect({}, { limits: otherBounds({ closeWaitMs: 50 }) });
    const paid = client.callTool('pay').catch((error: unknown) => error);
    const read = client.readResource('file:///a');
    await Promise.all([peer.call('tools/call'), peer.call('resources/read')]);
    forget(1);
    await client.ping();
    expect(await paid).toMatchObject({ name: 'SessionError', reason: 'closed', cause: { status: 404 } });
    expect(await read).toMatchObject({ contents: [] });
    expect(peer.heard.filter((name) => name === 'tools/call')).toHaveLength(1);
    expect(peer.heard.filter((name) => name === 'resources/read')).toHaveLength(2);
  });

  it('reports a gap to watches when its stream broke and cannot be resumed', async () => {
    let streams = 0;
    const peer = await HttpPeer.start(
      sessions({
        'resources/subscribe': (call) => call.result({}),
        GET: (call) => {
          call.event({ method: 'notifications/resources/updated', params: { uri: `file:///${++streams}` } });
          if (streams === 1) call.response.end();
        },
      }),
    );
    const client = await peer.connect({ random: () => 0 });
    const heard: unknown[] = [];
    let tell = () => {};
    const second = new Promise<void>((resolve) => (tell = resolve));
    await client.watch({ uris: ['file:///1', 'file:///2'] }, (change) => {
      heard.push(change.kind === 'resource' ? change.uri : change.kind);
      if (heard.includes('file:///2')) tell();
    });
    await second;
    expect(heard.slice(-2)).toEqual(['gap', 'file:///2']);
  });

  it('gets its log level again when the first request broke', async () => {
    let reported = 0;
    const peer = await HttpPeer.start(
      sessions({
        'logging/setLevel': (call) => (++reported === 1 ? call.reset() : call.result({})),
      }),
    );
    const errors: unknown[] = [];
    await peer.connect({ logLevel: 'error', onError: (error) => errors.push(error) });
    await peer.call('logging/setLevel', 2);
    expect(errors).toEqual([]);
  });

  it('renews its subscriptions, and reports a gap to watches', async () => {
    const { peer, forget } = await forgetful({
      'resources/subscribe': (call) => call.result({}),
      ping: (call) => call.result({}),
    });
    const client = await peer.connect();
    const reported: unknown[] = [];
    let tell = () => {};
    const gap = new Promise<void>((resolve) => (tell = resolve));
    await client.watch({ uris: ['file:///a'] }, (change) => {
      reported.push(change);
      tell();
    });
    forget(1);
    await client.ping();
    await gap;
    expect(reported).toEqual([{ kind: 'gap' }]);
    const subscribed = peer.calls.filter((call) => call.name === 'resources/subscribe');
    expect(subscribed.map((call) => call.headers['mcp-session-id'])).toEqual(['session-1', 'session-2']);
  });

  it('also serves a watch that found out', async () => {
    const { peer, forget } = await forgetful({ 'resources/subscribe': (call) => call.result({}) });
    const client = await peer.connect();
    forget(1);
    const watch = await client.watch({ uris: ['file:///a'] }, () => undefined);
    expect(watch.honoured).toEqual({ uris: ['file:///a'] });
  });

  it('is not reopened without limit', async () => {
    shows('2024-11-05/index/best-practices');
    const { changes, onStateChange } = watched();
    const rest = sessions();
    const peer = await HttpPeer.start((call) => (call.name === 'tools/call' ? call.raw(404) : rest(call)));
    const client = await peer.connect({ onStateChange, reconnect: { attempts: 2, delay: 1 } });
    const outcomes: unknown[] = [];
    for (let count = 0; count < 5; count++) {
      outcomes.push(await client.callTool('x').catch((error: unknown) => error));
    }
    expect(client.state).toBe('closed');
    expect(outcomes.every((error) => error instanceof Error)).toBe(true);
    expect(peer.heard.filter((name) => name === 'initialize')).toHaveLength(3);
    expect(changes.at(-1)).toMatchObject({ state: 'closed', reason: { reason: 'closed' } });
  });

  it('is not replaced where that is not wanted: the call fails as it did', async () => {
    const { peer, forget } = await forgetful({});
    const client = await peer.connect({ reconnect: false });
    forget(1);
    await expect(client.callTool('x')).rejects.toMatchObject({ name: 'TransportError', status: 404 });
    expect(client.state).toBe('closed');
  });
});

describe('an exchange that broke, in a revision without sessions,', () => {
  const reset = (call: HttpCall) => call.reset();

  it('is tried again once for reads', async () => {
    shows('2026-07-28/basic/transports/streamable-http/made-anew');
    let count = 0;
    const peer = await HttpPeer.start(
      modern({
        'resources/read': (call) => (++count === 1 ? call.reset() : call.result({ contents: [], ...hints })),
      }),
    );
    const client = await peer.connect();
    expect(await client.readResource('file:///a')).toMatchObject({ contents: [] });
    expect(client.state).toBe('open');
  });

  it('rejects a read when it breaks twice, and a tool call at once', async () => {
    const peer = await HttpPeer.start(modern({ 'resources/read': reset, 'tools/call': reset }));
    const client = await peer.connect();
    await expect(client.readResource('file:///a')).rejects.toMatchObject({ name: 'TransportError' });
    await expect(client.callTool('pay')).rejects.toMatchObject({ name: 'TransportError' });
    expect(peer.heard).toEqual(['server/discover', 'resources/read', 'resources/read', 'tools/call']);
    expect(client.state).toBe('open');
  });

  it('is not tried again when the server said why', async () => {
    const peer = await HttpPeer.start(modern({ 'resources/read': (call) => call.raw(429) }));
    const client = await peer.connect();
    await expect(client.readResource('file:///a')).rejects.toMatchObject({ status: 429 });
    expect(peer.heard.filter((name) => name === 'resources/read')).toHaveLength(1);
  });
});

it('negotiates again and repeats the call when the server speaks other revisions', async () => {
  shows('2026-07-28/basic/versioning/select-supported', '2026-07-28/server/discover/optional');
  const peer = await HttpPeer.start(modern());
  const { changes, onStateChange } = watched();
  const client = await peer.connect({ onStateChange });
  const older = sessions({ 'tools/call': (call) => call.result(done) });
  peer.script = (call) => {
    const isModern = call.headers['mcp-protocol-version'] === '2026-07-28';
    return isModern ? call.error(400, -32022, { supported: ['2025-11-25'] }) : older(call);
  };
  expect((await client.callTool('pay')).isError).toBe(false);
  expect(client.revision).toBe('2025-11-25');
  expect(changes.map((change) => change.state)).toEqual(['open', 'reconnecting', 'open']);
});

it('a batch loses a session as a call does', async () => {
  let count = 0;
  const rest = sessions({}, '2025-03-26');
  const peer = await HttpPeer.start((call) => {
    const batch = call.message as unknown;
    if (!Array.isArray(batch)) {
      if (call.name === 'tools/list') return call.result({ tools: [] });
      return call.name === 'prompts/list' ? call.result({ prompts: [] }) : rest(call);
    }
    count++;
    return call.raw(404);
  });
  const client = await peer.connect();
  const results = client.batch([
    { method: 'tools/list', params: {} },
    { method: 'prompts/list', params: {} },
  ]);
  expect(await Promise.all(results)).toMatchObject([{ tools: [] }, { prompts: [] }]);
  expect(count).toBe(1);
});

it('closing ends the session and lets nothing wait', async () => {
  shows('2025-03-26/lifecycle/http-closed', '2025-03-26/sessions/delete');
  const peer = await HttpPeer.start(sessions({ 'tools/call': () => undefined }));
  const client = await peer.connect();
  const call = client.callTool('x').catch((error: unknown) => error);
  await peer.call('tools/call');
  await client.close();
  expect(await call).toBeInstanceOf(SessionError);
  expect(peer.heard.at(-1)).toBe('DELETE');
});
