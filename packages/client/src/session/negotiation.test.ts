import { otherBounds } from '@tenon/foundation';
import { SessionError } from '@tenon/mcp-protocol';
import { revision20241105, revision20251125, revision20260728 } from '@tenon/mcp-protocol/internal';
import { describe, expect, it } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import { FakeClock } from '../../../testing/src/fake-clock.js';
import { linked } from '../../test/linked.js';
import { type Script, ScriptedServer, WireRefusal } from '../../test/scripted-server.js';
import { discoverResult, initializeResult, serverScript } from '../../test/scripts.js';
import { defineExtension } from '../extensions/define-extension.js';

const handshake = { initialize: () => initializeResult('2025-06-18') };
const silence = () => undefined;

// Kinds of servers that were recorded: what they do first, which revision is settled, what they heard until then.
const kinds: [string, Script, string, string[], ...string[]][] = [
  [
    'of both kinds',
    { ...handshake, 'server/discover': () => discoverResult(['2026-07-28', '2025-06-18']) },
    '2026-07-28',
    ['server/discover'],
    '2026-07-28/basic/transports/stdio/probe',
    '2026-07-28/basic/versioning/dual-with-modern',
    '2026-07-28/server/discover/probe',
  ],
  [
    'of the old kind',
    handshake,
    '2025-06-18',
    ['server/discover', 'initialize', 'notifications/initialized'],
    '2026-07-28/basic/versioning/dual-with-legacy',
  ],
  [
    'that answers nonsense',
    { ...handshake, 'server/discover': () => ({}) },
    '2025-06-18',
    ['server/discover', 'initialize', 'notifications/initialized'],
  ],
  [
    'that wants initialize first',
    { ...handshake, 'server/discover': () => new WireRefusal(-32000, 'Not initialized') },
    '2025-06-18',
    ['server/discover', 'initialize', 'notifications/initialized'],
  ],
  [
    'that describes itself as one with handshakes',
    { ...handshake, 'server/discover': () => discoverResult(['2025-06-18']) },
    '2025-06-18',
    ['server/discover', 'initialize', 'notifications/initialized'],
  ],
];

describe('a server', () => {
  it.each(kinds)('%s', async (...[, script, revision, heard, ...ids]) => {
    shows(...ids);
    const server = new ScriptedServer(script);
    const client = await linked(server);
    expect(client.revision).toBe(revision);
    expect(server.peer.methods).toEqual(heard);
  });

  it('that does not answer the probe in time is initialized, and the probe is not cancelled', async () => {
    shows(
      '2024-11-05/basic/lifecycle/initialize-timeout',
      '2026-07-28/basic/transports/stdio/probe-other-error',
    );
    const clock = new FakeClock();
    const server = new ScriptedServer({ ...handshake, 'server/discover': silence });
    const connecting = linked(server, { clock, connectTimeout: 1_400 });
    await clock.advance(699);
    expect(server.peer.methods).toEqual(['server/discover']);
    await clock.advance(1);
    expect((await connecting).revision).toBe('2025-06-18');
    await clock.advance(3_600_000);
    expect(server.peer.methods).toEqual(['server/discover', 'initialize', 'notifications/initialized']);
  });

  it('that is slow to describe itself and refuses initialize is taken at its late word', async () => {
    const clock = new FakeClock();
    const server = new ScriptedServer({
      'server/discover': () =>
        new Promise((resolve) => clock.schedule(() => resolve(discoverResult(['2026-07-28'])), 6_000)),
      initialize: () =>
        new Promise((resolve) => clock.schedule(() => resolve(new WireRefusal(-32602, 'No')), 2_000)),
    });
    const connecting = linked(server, { clock });
    await clock.advance(10_000);
    expect((await connecting).revision).toBe('2026-07-28');
  });

  it('that dies on the probe is started again and initialized first', async () => {
    const server = new ScriptedServer({
      ...handshake,
      'server/discover': (_, peer) => {
        peer.die();
        return undefined;
      },
    });
    const client = await linked(server);
    expect(client.revision).toBe('2025-06-18');
    expect(server.peers.map((peer) => peer.methods)).toEqual([
      ['server/discover'],
      ['initialize', 'notifications/initialized'],
    ]);
  });

  it('that answers initialize with an unknown revision is rejected', async () => {
    shows('2024-11-05/basic/lifecycle/client-leaves');
    const server = new ScriptedServer({ initialize: () => initializeResult('1999-01-01') });
    const failure = await linked(server).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(SessionError);
    expect(failure).toMatchObject({
      reason: 'no-common-revision',
      message:
        'The server offers 1999-01-01; this client speaks 2025-11-25, 2025-06-18, 2025-03-26, 2024-11-05.',
    });
    expect(server.peer.methods).not.toContain('notifications/initialized');
  });

  it('that refuses initialize is left with its own error', async () => {
    const server = new ScriptedServer({ initialize: () => new WireRefusal(-32602, 'Not today') });
    await expect(linked(server)).rejects.toMatchObject({
      code: -32602,
      message: 'initialize: Not today',
      peerMessage: 'Not today',
    });
  });
});

describe('a pinned revision', () => {
  it('with a handshake is asked for without a probe', async () => {
    const server = new ScriptedServer(serverScript(revision20241105));
    const client = await linked(server, { revision: '2024-11-05' });
    expect(client.revision).toBe('2024-11-05');
    expect(server.peer.methods).toEqual(['initialize', 'notifications/initialized']);
    expect(server.peer.paramsOf('initialize')).toEqual([
      { protocolVersion: '2024-11-05', capabilities: {}, clientInfo: { name: 'client', version: '1' } },
    ]);
  });

  it('that the server answers with another fails', async () => {
    shows('2024-11-05/basic/lifecycle/client-leaves');
    const server = new ScriptedServer(serverScript(revision20251125));
    await expect(linked(server, { revision: '2024-11-05' })).rejects.toMatchObject({
      message: 'The server offers 2025-11-25; this client speaks 2024-11-05.',
    });
  });

  it('without a handshake never falls back', async () => {
    shows('2026-07-28/basic/versioning/modern-with-legacy');
    const server = new ScriptedServer({ ...handshake });
    await expect(linked(server, { revision: '2026-07-28' })).rejects.toMatchObject({ code: -32601 });
    expect(server.peer.methods).toEqual(['server/discover']);
  });

  it('must be one that exists', async () => {
    await expect(linked(new ScriptedServer({}), { revision: '1999-01-01' })).rejects.toThrow(RangeError);
    await expect(linked(new ScriptedServer({}), { revisions: [] })).rejects.toThrow('No revision is left');
  });
});

it('a client without handshakes probes, and tells what it found', async () => {
  shows(
    '2026-07-28/basic/transports/stdio/probe-recommended',
    '2026-07-28/basic/versioning/discover-first',
    '2026-07-28/basic/versioning/modern-with-modern',
    '2026-07-28/basic/versioning/modern-with-legacy',
  );
  const server = new ScriptedServer(handshake);
  await expect(linked(server, { revisions: ['2026-07-28'] })).rejects.toMatchObject({
    reason: 'no-common-revision',
    message:
      'This client speaks only 2026-07-28, and the server does not seem to: it answered server/discover with error -32601.',
  });
});

it('a client with handshakes alone does not probe', async () => {
  const server = new ScriptedServer(handshake);
  await linked(server, { revisions: ['2025-06-18', '2025-03-26'] });
  expect(server.peer.paramsOf('initialize')[0]?.protocolVersion).toBe('2025-06-18');
  expect(server.peer.methods[0]).toBe('initialize');
});

it('capabilities are those of the handlers given, and no more', async () => {
  shows(
    '2026-07-28/basic/index/components',
    '2026-07-28/client/elicitation/one-mode',
    '2026-07-28/client/roots/declare-capability',
  );
  const server = new ScriptedServer(serverScript(revision20260728));
  const declared = async (options: Parameters<typeof linked>[1]) => {
    await linked(server, options);
    const meta = server.peer.heard[0]?.params?._meta as Record<string, unknown>;
    return meta['io.modelcontextprotocol/clientCapabilities'];
  };
  const decline = () => ({ action: 'decline' }) as const;
  const sample = () => ({ role: 'assistant', content: { type: 'text', text: '' }, model: 'm' }) as const;
  expect(await declared({})).toEqual({});
  expect(await declared({ onElicit: decline })).toEqual({ elicitation: { form: {} } });
  expect(await declared({ onElicitUrl: decline })).toEqual({ elicitation: { url: {} } });
  expect(await declared({ onSample: sample, roots: [] })).toEqual({ sampling: {}, roots: {} });
  expect(await declared({ onSample: sample, capabilities: { samplingTools: true } })).toEqual({
    sampling: { tools: {} },
  });
  expect(await declared({ extensions: [defineExtension({ id: 'com.example/x', external: true })] })).toEqual({
    extensions: { 'com.example/x': {} },
  });
});

it('pages alone are not declared where elicitation means forms', async () => {
  const server = new ScriptedServer(handshake);
  const onElicitUrl = () => ({ action: 'decline' }) as const;
  await linked(server, { onElicitUrl, revision: '2025-06-18' });
  expect(server.peer.paramsOf('initialize')[0]?.capabilities).toEqual({});
  await linked(server, { onElicitUrl, onElicit: onElicitUrl, revision: '2025-06-18' });
  expect(server.peer.paramsOf('initialize')[0]?.capabilities).toEqual({ elicitation: {} });
});

const long = 'x'.repeat(3_000);
const said: readonly [string, object][] = [
  ['instructions', { instructions: long }],
  ['capabilities', { capabilities: { experimental: { a: { b: long } } } }],
];

it.each([...said, ['its name', { serverInfo: { name: long, version: '1' } }]])(
  'rejects a handshake when %s is too long',
  async (_, more) => {
    const initialize = () => ({ ...initializeResult(revision20251125.id), ...more });
    const options = { revision: revision20251125.id, limits: otherBounds({ introduction: 2_000 }) };
    const connecting = linked(new ScriptedServer({ initialize }), options);
    await expect(connecting).rejects.toMatchObject({
      reason: 'limit',
      message: expect.stringContaining('may have 2000 characters of JSON in all, not 3'),
    });
  },
);

it.each<[string, object]>([
  ...said,
  ['its name', { _meta: { 'io.modelcontextprotocol/serverInfo': { name: long, version: '1' } } }],
])('rejects a discovery when %s is too long', async (_, more) => {
  const discover = () => ({ ...discoverResult([revision20260728.id]), ...more });
  const server = new ScriptedServer({ 'server/discover': discover });
  const connecting = linked(server, { limits: otherBounds({ introduction: 2_000 }) });
  await expect(connecting).rejects.toMatchObject({ reason: 'limit' });
  expect(server.peer.methods).toEqual(['server/discover']);
});
