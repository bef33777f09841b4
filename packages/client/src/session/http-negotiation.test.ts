import { RemoteError, type SessionError, TransportError } from '@tenon/mcp-protocol';
import { describe, expect, it, onTestFinished } from 'vitest';
import { shows, showsBy } from '../../../../tooling/suite/shows.js';
import { FakeClock } from '../../../testing/src/fake-clock.js';
import { type HttpCall, HttpPeer, type HttpScript, modern, sessions } from '../../test/http-peer.js';
import { ScriptedServer } from '../../test/scripted-server.js';
import { discoverResult, initializeResult } from '../../test/scripts.js';
import { connect } from '../connect.js';
import { httpTarget } from '../http.js';
import { memoryTarget } from '../memory.js';

const info = { name: 'client', version: '1' };
const opening = ['server/discover', 'initialize', 'notifications/initialized'];
const withGet = [...opening, 'GET'];

/** A server that refuses the probe in its own way, and knows the handshake. */
function refusing(refuse: (call: HttpCall) => void, revision = '2025-06-18'): HttpScript {
  const rest = sessions({}, revision);
  return (call) => (call.name === 'server/discover' ? refuse(call) : rest(call));
}

describe('a server', () => {
  it.each<[string, HttpScript, string, string[], ...string[]]>([
    [
      'of the newest revision',
      modern(),
      '2026-07-28',
      ['server/discover'],
      '2026-07-28/basic/transports/streamable-http/detect-era',
      '2026-07-28/basic/versioning/dual-with-modern',
    ],
    [
      'that refuses with an empty 400',
      refusing((call) => call.raw(400)),
      '2025-06-18',
      withGet,
      '2026-07-28/basic/transports/streamable-http/other-body-falls-back',
      '2026-07-28/basic/versioning/dual-with-legacy',
    ],
    [
      'that refuses with an error for no id',
      refusing((call) =>
        call.json(400, { jsonrpc: '2.0', id: null, error: { code: -32000, message: 'No' } }),
      ),
      '2025-06-18',
      withGet,
      '2026-07-28/basic/transports/streamable-http/other-body-falls-back',
    ],
    [
      'that refuses under an id of its own',
      refusing((call) => call.json(400, { jsonrpc: '2.0', id: 'x', error: { code: -32600, message: 'No' } })),
      '2025-06-18',
      withGet,
    ],
    ['that has no such page', refusing((call) => call.raw(404, '<h1>Not found</h1>')), '2025-06-18', withGet],
    ['that does not know the method', refusing((call) => call.error(200, -32601)), '2025-06-18', withGet],
    [
      'that answers with a page',
      refusing((call) => call.raw(200, '<h1>Hi</h1>', { 'content-type': 'text/html' })),
      '2025-06-18',
      withGet,
    ],
    ['that answers with nothing', refusing((call) => call.raw(202)), '2025-06-18', withGet],
    [
      'that ends the stream without an answer',
      refusing((call) => call.raw(200, ': nothing\n\n', { 'content-type': 'text/event-stream' })),
      '2025-06-18',
      withGet,
    ],
    ['that describes nothing', refusing((call) => call.result({})), '2025-06-18', withGet],
    [
      'that names older revisions',
      refusing((call) => call.error(400, -32022, { supported: ['2025-06-18'] })),
      '2025-06-18',
      withGet,
    ],
    [
      'of the first revision with this transport',
      refusing((call) => call.raw(400), '2025-03-26'),
      '2025-03-26',
      withGet,
    ],
  ])('%s is found out', async (...[, script, revision, heard, ...ids]) => {
    shows(...ids);
    const peer = await HttpPeer.start(script);
    const client = await peer.connect();
    expect(client.revision).toBe(revision);
    if (heard.includes('GET')) await peer.call('GET');
    expect(peer.heard).toEqual(heard);
  });

  it('that names what it just refused is asked once more, and not again', async () => {
    shows('2026-07-28/basic/transports/streamable-http/inspect-400');
    const refusal = { supported: ['2026-07-28'] };
    let count = 0;
    const moody = await HttpPeer.start((call) => {
      if (++count > 1) return call.result(discoverResult(['2026-07-28']));
      return call.error(400, -32022, refusal);
    });
    expect((await moody.connect()).revision).toBe('2026-07-28');
    const stubborn = await HttpPeer.start((call) => call.error(400, -32022, refusal));
    await expect(stubborn.connect()).rejects.toMatchObject({ reason: 'no-common-revision' });
    expect(stubborn.heard).toEqual(['server/discover', 'server/discover']);
  });

  it.each<[string, (call: HttpCall) => void, object, ...string[]]>([
    [
      'requires authorization',
      (call) => call.raw(401, '', { 'www-authenticate': 'Bearer realm="x"' }),
      { status: 401 },
    ],
    ['refuses access with an error', (call) => call.error(403, -32000), { status: 403 }],
    ['is behind a proxy that requires authorization', (call) => call.raw(407), { status: 407 }],
    ['is asked too often', (call) => call.raw(429, 'later'), { status: 429 }],
    ['is broken', (call) => call.raw(500, 'oops'), { status: 500 }],
    ['is not ready', (call) => call.error(503, -31002), { code: -31002 }],
    ['breaks the connection', (call) => call.reset(), { name: 'TransportError' }],
    [
      'misses a capability',
      (call) => call.error(400, -32021),
      { code: -32021 },
      '2026-07-28/basic/transports/streamable-http/inspect-400',
      '2026-07-28/basic/transports/streamable-http/modern-error-no-fallback',
    ],
    [
      'finds headers that differ',
      (call) => call.error(400, -32020),
      { code: -32020 },
      '2026-07-28/basic/transports/streamable-http/modern-error-no-fallback',
    ],
    ['does not say what it supports', (call) => call.error(400, -32022), { code: -32022 }],
    [
      'redirects elsewhere',
      (call) => call.raw(307, '', { location: 'https://other.example/mcp' }),
      { message: expect.stringContaining('https://other.example') },
    ],
  ])('that %s is not taken for an older one', async (...[, answer, failure, ...ids]) => {
    shows(...ids);
    const peer = await HttpPeer.start(answer);
    await expect(peer.connect()).rejects.toMatchObject(failure);
    expect(peer.heard).toEqual(['server/discover']);
  });

  it('that requires authorization is said to, with the scheme and nothing more', async () => {
    const headers = { 'www-authenticate': 'Bearer resource_metadata="https://a.example/secret"' };
    const peer = await HttpPeer.start((call) => call.raw(401, '', headers));
    const refused: Error = await peer.connect().catch((error) => error);
    expect(refused).toBeInstanceOf(TransportError);
    expect(refused.message).toMatch(/requires authorization \(HTTP 401, Bearer\)/);
    expect(refused.message).not.toContain('secret');
  });

  it('that says nothing is given up on, with what to do about it', async () => {
    const clock = new FakeClock();
    const peer = await HttpPeer.start(() => {});
    const connecting = peer.connect({ clock, connectTimeout: 700 }).catch((error: unknown) => error);
    await peer.call('server/discover');
    await clock.advance(700);
    const failure = (await connecting) as SessionError;
    expect(failure.reason).toBe('timeout');
    expect(failure.message).toContain('name one with "revision"');
    expect(peer.heard).toEqual(['server/discover']);
  });
});

describe('a pinned revision', () => {
  it('with a handshake is not probed for', async () => {
    const peer = await HttpPeer.start(sessions({}, '2025-03-26'));
    const client = await peer.connect({ revision: '2025-03-26' });
    expect(client.revision).toBe('2025-03-26');
    expect(peer.heard.slice(0, 2)).toEqual(['initialize', 'notifications/initialized']);
  });

  it('without one does not fall back', async () => {
    const peer = await HttpPeer.start(sessions());
    await expect(peer.connect({ revision: '2026-07-28' })).rejects.toBeInstanceOf(RemoteError);
    expect(peer.heard).toEqual(['server/discover']);
  });
});

describe('what was found out', () => {
  it('serves the next client of the process', async () => {
    shows('2026-07-28/basic/versioning/era-cached');
    const peer = await HttpPeer.start(sessions());
    await peer.connect();
    await peer.connect();
    expect(peer.heard.filter((name) => name === 'server/discover')).toHaveLength(1);
  });

  it('does not bind a client that speaks more', async () => {
    const peer = await HttpPeer.start(modern());
    const [older, newer] = [sessions(), modern()];
    peer.script = (call) => (call.name === 'server/discover' ? newer(call) : older(call));
    expect((await peer.connect({ revision: '2025-11-25' })).revision).toBe('2025-11-25');
    expect((await peer.connect()).revision).toBe('2026-07-28');
  });

  it.each<[string, HttpScript, HttpScript, string, ...string[]]>([
    [
      'an older server was replaced by a newer one',
      sessions(),
      modern(),
      '2026-07-28',
      '2026-07-28/basic/versioning/era-persisted',
    ],
    ['a newer server was replaced by an older one', modern(), sessions(), '2025-11-25'],
  ])('is found out again when %s', async (...[, before, after, revision, ...ids]) => {
    shows(...ids);
    const peer = await HttpPeer.start(before);
    await peer.connect();
    peer.script = after;
    expect((await peer.connect()).revision).toBe(revision);
  });
});

describe('the older transport', () => {
  function target(peer: HttpPeer, server: ScriptedServer) {
    let opened = 0;
    const older = () => ({
      open: () => {
        opened++;
        return memoryTarget(server).open();
      },
      restartable: true,
    });
    return { dialer: { ...httpTarget(peer.url), older }, opened: () => opened };
  }

  const first = { initialize: () => initializeResult('2024-11-05') };

  it.each([400, 404, 405])('is tried when initialize is answered %i, and remembered', async (status) => {
    showsBy(status, {
      '404': [
        '2026-07-28/basic/transports/streamable-http/sse-fallback',
        '2026-07-28/basic/versioning/dual-with-legacy',
      ],
    });
    const peer = await HttpPeer.start((call) => call.raw(status));
    const { dialer, opened } = target(peer, new ScriptedServer(first));
    const client = await connect(dialer, { info });
    onTestFinished(() => client.close());
    expect(client.revision).toBe('2024-11-05');
    expect(peer.heard).toEqual(['server/discover', 'initialize']);
    const again = await connect(dialer, { info });
    onTestFinished(() => again.close());
    expect(peer.heard).toHaveLength(2);
    expect(opened()).toBe(2);
  });

  it('is not tried for a server that refuses in the words of the newest revision', async () => {
    shows('2026-07-28/basic/transports/streamable-http/sse-fallback');
    const peer = await HttpPeer.start((call) => {
      if (call.name === 'server/discover') call.raw(404);
      else call.error(400, -32022, { supported: ['2031-01-01'] });
    });
    const { dialer, opened } = target(peer, new ScriptedServer(first));
    await expect(connect(dialer, { info })).rejects.toMatchObject({ code: -32022 });
    expect(opened()).toBe(0);
  });

  it.each([401, 500])('is not tried when initialize is answered %i', async (status) => {
    const peer = await HttpPeer.start((call) => call.raw(call.name === 'initialize' ? status : 400));
    const { dialer, opened } = target(peer, new ScriptedServer(first));
    await expect(connect(dialer, { info })).rejects.toMatchObject({ status });
    expect(opened()).toBe(0);
  });

  it('that is missing too rejects with the first refusal', async () => {
    const peer = await HttpPeer.start((call) =>
      call.raw(404, 'No such page', { 'content-type': 'text/plain' }),
    );
    const open = () => Promise.reject(new TransportError('There is no event stream.'));
    const dialer = { ...httpTarget(peer.url), older: () => ({ open, restartable: true }) };
    const failure: Error = await connect(dialer, { info }).catch((error) => error);
    expect(failure).toMatchObject({ name: 'TransportError', status: 404 });
    expect(failure.message).toMatch(/HTTP 404: No such page.*HTTP\+SSE.*There is no event stream/);
  });

  it('is found by the URL alone, with the headers of the application', async () => {
    shows('2026-07-28/basic/transports/streamable-http/sse-url');
    let stream: HttpCall | undefined;
    const send = (call: HttpCall, result: object) => {
      const message = JSON.stringify({ jsonrpc: '2.0', id: call.message.id, result });
      stream?.response.write(`event: message\ndata: ${message}\n\n`);
    };
    const peer = await HttpPeer.start((call) => {
      if (call.name === 'GET') {
        stream = call;
        call.response.writeHead(200, { 'content-type': 'text/event-stream' });
        return call.response.write('event: endpoint\ndata: /messages?session=1\n\n');
      }
      if (call.path !== '/messages?session=1') return call.raw(404);
      call.raw(202);
      if (call.name === 'initialize') return send(call, initializeResult('2024-11-05'));
      return call.name === 'tools/call' && send(call, { content: [] });
    });
    const client = await peer.connect({ headers: { authorization: 'Bearer x' } });
    expect(client.revision).toBe('2024-11-05');
    expect((await client.callTool('x')).isError).toBe(false);
    const names = ['server/discover', 'initialize', 'GET', 'initialize', 'notifications/initialized'];
    expect(peer.heard).toEqual([...names, 'tools/call']);
    expect(peer.calls.every((call) => call.headers.authorization === 'Bearer x')).toBe(true);
  });

  it('is given up for the newer one when that has come', async () => {
    shows('2026-07-28/basic/transports/streamable-http/sse-migrate');
    const peer = await HttpPeer.start((call) => call.raw(404));
    const { dialer } = target(peer, new ScriptedServer(first));
    const client = await connect(dialer, { info });
    await client.close();
    peer.script = modern();
    const gone = {
      ...dialer,
      older: () => ({
        open: () => Promise.reject(new TransportError('Gone.', { status: 404 })),
        restartable: true,
      }),
    };
    const next = await connect(gone, { info });
    onTestFinished(() => next.close());
    expect(next.revision).toBe('2026-07-28');
  });
});
