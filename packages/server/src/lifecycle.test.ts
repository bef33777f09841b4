import { otherBounds } from '@tenon/foundation';
import { expect, test } from 'vitest';
import { shows, showsBy } from '../../../tooling/suite/shows.js';
import {
  everyRevision,
  handshakeRevisions,
  latestHandshake,
  latestStateless,
  WirePeer,
} from '../test/wire-peer.js';
import { defineExtension } from './extensions/define-extension.js';
import { createServer } from './server.js';

const info = { name: 'test', title: 'Test', version: '1' };
const full = () =>
  createServer(info, {
    instructions: 'Be kind.',
    experimental: { x: { on: true } },
    extensions: [defineExtension({ id: 'com.example/thing', settings: { level: 3 }, external: true })],
  }).tool('one', {}, () => 'x');

test.each(handshakeRevisions)('initialize in $id answers with the version asked for', async (revision) => {
  showsBy(revision.id, {
    '2024-11-05': '2024-11-05/basic/lifecycle/server-same',
    '2025-11-25': '2026-07-28/basic/versioning/legacy-with-dual',
  });
  const peer = await WirePeer.open(full(), revision);
  const { result } = await peer.next((one) => one.id === 1);
  expect(result).toMatchObject({
    protocolVersion: revision.id,
    serverInfo: { name: 'test', version: '1' },
    instructions: 'Be kind.',
    capabilities: { tools: { listChanged: true }, logging: {}, experimental: { x: { on: true } } },
  });
});

test('an unknown version is answered with the newest that has a handshake', async () => {
  shows('2024-11-05/basic/lifecycle/server-other', '2024-11-05/basic/lifecycle/server-latest');
  const peer = await WirePeer.open(full(), { ...latestHandshake, id: '1999-01-01' });
  expect((await peer.next((one) => one.id === 1)).result?.protocolVersion).toBe(latestHandshake.id);
});

test('discovery returns versions, capabilities and server info', async () => {
  shows(
    '2026-07-28/basic/versioning/discover-implemented',
    '2026-07-28/server/discover/response',
    '2026-07-28/server/discover/server-info',
    '2026-07-28/server/resources/optional-features',
    '2026-07-28/server/tools/declare-capability',
  );
  const peer = await WirePeer.open(full(), latestStateless);
  const { result } = await peer.request('server/discover');
  expect(result).toEqual({
    supportedVersions: everyRevision.map((one) => one.id),
    capabilities: {
      experimental: { x: { on: true } },
      extensions: { 'com.example/thing': { level: 3 } },
      logging: {},
      tools: { listChanged: true },
    },
    instructions: 'Be kind.',
    ttlMs: 0,
    cacheScope: 'public',
    resultType: 'complete',
    _meta: { 'io.modelcontextprotocol/serverInfo': info },
  });
});

test('a server narrowed to stateless revisions names them when it refuses initialize', async () => {
  shows(
    '2026-07-28/basic/versioning/modern-only-names-versions',
    '2026-07-28/basic/versioning/legacy-with-modern',
  );
  const server = createServer(info, { revisions: [latestStateless.id] });
  const peer = await WirePeer.open(server, latestHandshake);
  const { error } = await peer.next((one) => one.id === 1);
  expect(error).toMatchObject({
    code: -32022,
    data: { supported: [latestStateless.id], requested: latestHandshake.id },
  });
});

test('a server narrowed to handshake revisions does not pass for a stateless one', async () => {
  const server = createServer(info, { revisions: [latestHandshake.id] });
  const peer = await WirePeer.open(server, latestStateless);
  const { error } = await peer.request('server/discover');
  // The code that says so would keep a client from falling back to initialize.
  expect(error?.code).toBe(-32600);
});

test('one connection serves a session and stateless requests, decided per message', async () => {
  shows(
    '2024-11-05/basic/versioning/several-versions',
    '2026-07-28/basic/versioning/dual-era-server',
    '2026-07-28/basic/versioning/dual-server-by-meta',
    '2026-07-28/basic/versioning/dual-concurrent',
  );
  const server = full();
  const peer = await WirePeer.open(server, latestHandshake);
  const inSession = await peer.request('tools/list');
  const stateless = await peer.request(
    'tools/list',
    {},
    {
      'io.modelcontextprotocol/protocolVersion': latestStateless.id,
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  );
  expect(inSession.result?.resultType).toBeUndefined();
  expect(stateless.result?.resultType).toBe('complete');
});

test.each<[() => unknown, string, ...string[]]>([
  [() => createServer({ name: '', version: '1' }), 'needs a name and a version'],
  [() => createServer(info, { revisions: ['1999-01-01'] }), 'Unknown revision "1999-01-01"'],
  [() => createServer(info, { revisions: [] }), 'at least one revision'],
  [() => createServer(info, { limits: { inFlight: 0 } }), 'Limit inFlight must be a positive number'],
  [() => createServer(info, { limits: { inflight: 1 } as never }), 'Unknown limit "inflight"'],
  [
    () => defineExtension({ id: 'nope', external: true }),
    'Extension "nope" needs a prefix',
    '2026-07-28/basic/versioning/extension-identifier',
  ],
  [() => defineExtension({ id: 'com.example/void' }), 'advertises itself and contributes nothing'],
])('rejects invalid options at once: %#', (make, message, ...ids) => {
  shows(...ids);
  expect(make).toThrow(message);
});

test('a session that stays silent is pinged, and ended when it does not answer', async () => {
  shows(
    '2024-11-05/basic/utilities/ping/either-end',
    '2024-11-05/basic/utilities/ping/terminate',
    '2024-11-05/basic/utilities/ping/failures-logged',
  );
  const clock = { time: 0, due: [] as { at: number; task: () => void }[] };
  const passing = {
    now: () => clock.time,
    schedule(task: () => void, ms: number) {
      const entry = { at: clock.time + ms, task };
      clock.due.push(entry);
      return () => {
        clock.due = clock.due.filter((one) => one !== entry);
      };
    },
  };
  const errors: string[] = [];
  const onError = (_: unknown, where: string) => errors.push(where);
  const server = createServer(info, {
    keepAlive: { interval: 100, ...otherBounds({ failures: 2 }) },
    clock: passing,
    onError,
  });
  const peer = await WirePeer.open(server, latestHandshake);
  for (let step = 0; step < 10; step++) {
    clock.time += 100;
    const due = clock.due.filter((one) => one.at <= clock.time);
    clock.due = clock.due.filter((one) => one.at > clock.time);
    for (const { task } of due) task();
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(peer.received.filter((one) => one.method === 'ping')).toHaveLength(2);
  expect(errors).toEqual(['keep-alive']);
});

test.each([
  ['no version', {}, ''],
  ['a version that is not a text', { protocolVersion: 5 }, ''],
  ['a version of any length', { protocolVersion: 'v'.repeat(5_000) }, 'v'.repeat(128)],
])(
  'a server without handshakes answers initialize with %s in the shape of its error',
  async (_, params, requested) => {
    const server = createServer(info, { revisions: [latestStateless.id] });
    const peer = await WirePeer.open(server, latestStateless);
    peer.raw({ jsonrpc: '2.0', id: 'first', method: 'initialize', params });
    const { error } = await peer.next(({ id }) => (id as unknown) === 'first');
    expect(error).toMatchObject({ code: -32022, data: { supported: [latestStateless.id], requested } });
  },
);
