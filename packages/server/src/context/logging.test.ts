import { otherBounds } from '@tenon/foundation';
import { redact } from '@tenon/foundation/redaction';
import { thorough } from '@tenon/foundation/redaction/thorough';
import { logLevels } from '@tenon/mcp-protocol';
import { describe, expect, test } from 'vitest';
import { shows, showsBy } from '../../../../tooling/suite/shows.js';
import { FakeClock } from '../../../testing/src/fake-clock.js';
import { handshakeRevisions, latestStateless, WirePeer } from '../../test/wire-peer.js';
import type { ServerOptions } from '../options.js';
import { cleanResults } from '../results/clean-results.js';
import { createServer } from '../server.js';

const info = { name: 'test', version: '1' };
const logLevel = 'io.modelcontextprotocol/logLevel';

const server = createServer(info).tool('chatty', {}, (_, ctx) => {
  for (const level of logLevels) ctx.log(level, { level }, 'chat');
  return 'done';
});

/** Fails whatever looks at it. */
const notJson: unknown = new Proxy({}, { ownKeys: () => 0 as never, get: () => 0 });

const levelsHeard = (peer: WirePeer) =>
  peer.received.flatMap((one) => (one.method === 'notifications/message' ? [one.params?.level] : []));

describe.each(handshakeRevisions)('in $id', (revision) => {
  test('a session receives info and above until it chooses a level', async () => {
    showsBy(revision.id, { '2024-11-05': '2024-11-05/server/utilities/logging/set-level' });
    const peer = await WirePeer.open(server, revision);
    await peer.request('tools/call', { name: 'chatty' });
    expect(levelsHeard(peer)).toEqual(logLevels.slice(1));
    peer.received.length = 0;
    await peer.request('logging/setLevel', { level: 'critical' });
    await peer.request('tools/call', { name: 'chatty' });
    expect(levelsHeard(peer)).toEqual(['critical', 'alert', 'emergency']);
    expect((await peer.heard('notifications/message')).params).toEqual({
      level: 'critical',
      logger: 'chat',
      data: { level: 'critical' },
    });
  });

  test('an unknown level is invalid params', async () => {
    showsBy(revision.id, { '2024-11-05': '2024-11-05/server/utilities/logging/invalid-level' });
    const peer = await WirePeer.open(server, revision);
    const answer = await peer.request('logging/setLevel', { level: 'loud' });
    expect(answer.error?.code).toBe(-32602);
    expect(answer.error?.message).toContain('params.level: expected one of "debug"');
  });
});

test('without a session only a request with a log level receives log messages', async () => {
  shows(
    '2026-07-28/server/utilities/logging/no-level-no-logs',
    '2026-07-28/server/utilities/logging/level-respected',
    '2026-07-28/server/utilities/logging/context',
  );
  const peer = await WirePeer.open(server, latestStateless);
  await peer.request('tools/call', { name: 'chatty' });
  expect(levelsHeard(peer)).toEqual([]);
  await peer.request('tools/call', { name: 'chatty' }, { [logLevel]: 'alert' });
  expect(levelsHeard(peer)).toEqual(['alert', 'emergency']);
  expect((await peer.request('logging/setLevel', { level: 'info' })).error?.code).toBe(-32601);
});

test('sends messages outside of requests to sessions by their log level', async () => {
  const one = createServer(info);
  const peer = await WirePeer.open(one);
  const wise = await WirePeer.open(one);
  await wise.request('logging/setLevel', { level: 'error' });
  one.log('warning', 'careful');
  await wise.request('ping');
  await peer.request('ping');
  expect(levelsHeard(peer)).toEqual(['warning']);
  expect(levelsHeard(wise)).toEqual([]);
});

test('a server without logging neither declares nor sends log messages', async () => {
  shows(
    '2024-11-05/server/utilities/logging/capability',
    '2026-07-28/deprecated/not-adopted',
    '2026-07-28/server/utilities/logging/not-adopted',
    '2026-07-28/server/utilities/logging/migrate',
    '2026-07-28/server/utilities/logging/declare-capability',
  );
  const mute = createServer(info, { logging: false }).tool('chatty', {}, (_, ctx) => {
    ctx.log('emergency', 'x');
    return 'done';
  });
  const peer = await WirePeer.open(mute);
  expect((await peer.next((one) => one.id === 1)).result?.capabilities).toEqual({
    tools: { listChanged: true },
  });
  await peer.request('tools/call', { name: 'chatty' });
  expect(levelsHeard(peer)).toEqual([]);
});

describe('the data of a log message', () => {
  const x = '[redacted]';

  /** Data of the one log message that a server with these options sends. */
  async function reported(data: unknown, options: ServerOptions = {}): Promise<unknown> {
    const one = createServer(info, options).tool('log', {}, (_, ctx) => {
      ctx.log('error', data);
      return 'done';
    });
    const peer = await WirePeer.open(one);
    await peer.request('tools/call', { name: 'log' });
    return (await peer.heard('notifications/message')).params?.data;
  }

  test.each<[what: string, data: unknown, reported: unknown, ...string[]]>([
    [
      'bearer credentials',
      'sent Authorization: Bearer abc',
      `sent Authorization: ${x}`,
      '2024-11-05/server/utilities/logging/no-credentials',
      '2026-07-28/server/utilities/logging/sensitive-removed',
      '2026-07-28/server/utilities/logging/no-credentials',
    ],
    [
      'members named for secrets',
      { user: 'ada', password: 'hunter2' },
      { user: 'ada', password: x },
      '2024-11-05/server/utilities/logging/sensitive-removed',
      '2026-07-28/server/utilities/logging/sensitive-removed',
    ],
    [
      'headers',
      { headers: { cookie: 'a=b', accept: '*/*' } },
      { headers: { cookie: x, accept: '*/*' } },
      '2024-11-05/server/utilities/logging/sensitive-removed',
    ],
    ['credentials in URLs', 'postgres://app:pw@db/x', `postgres://${x}@db/x`],
    [
      'stack traces',
      'Error: boom\n    at run (file:///srv/app/main.js:10:5)\n    at main.js:3:1',
      'Error: boom',
      '2024-11-05/server/utilities/logging/no-internal-details',
      '2026-07-28/server/utilities/logging/no-internals',
    ],
    [
      'stacks as members',
      { stack: 'E: a\n    at f (/srv/a.js:1:2)\nend' },
      { stack: 'E: a\nend' },
      '2024-11-05/server/utilities/logging/no-internal-details',
    ],
    [
      'errors, which are nobody’s business',
      { error: new Error('at /srv/app') },
      { error: {} },
      '2024-11-05/server/utilities/logging/no-internal-details',
      '2026-07-28/server/utilities/logging/no-internals',
    ],
  ])('is free of %s', async (...[, data, expected, ...ids]) => {
    shows(...ids);
    expect(await reported(data)).toEqual(expected);
  });

  test.each<[what: string, data: unknown, reported: unknown]>([
    ['keys of well-known shape', [`ghp_${'a1'.repeat(18)}`], [x]],
    ['private keys', '-----BEGIN PRIVATE KEY-----\nMII\n-----END PRIVATE KEY-----', x],
  ])('is free of %s when the option "redact" is `thorough`', async (_, data, expected) => {
    shows(
      '2024-11-05/server/utilities/logging/no-credentials',
      '2026-07-28/server/utilities/logging/no-credentials',
    );
    expect(await reported(data)).toEqual(data);
    expect(await reported(data, { redact: thorough })).toEqual(expected);
  });

  test.each([
    'plain text',
    'meet at 10:30',
    { progressToken: 'abc', nextCursor: 'abc', tokens: 5 },
    ['a', 1, null, { b: true }],
    0,
    false,
    null,
  ])('is otherwise unchanged: %j', async (data) => {
    shows('2024-11-05/server/utilities/logging/sensitive-removed');
    expect(await reported(data)).toEqual(data);
  });

  test.each<[what: string, data: unknown, reported: unknown, ...string[]]>([
    ['null for nothing', undefined, null, '2026-07-28/server/utilities/logging/validate-data'],
    ['null for a function', () => 1, null],
    [
      'text for an integer of any size',
      { rows: 10n ** 20n, n: [1n] },
      { rows: '100000000000000000000', n: ['1'] },
    ],
    ['left out where it cannot be read', { toJSON: () => notJson }, '[unreadable]'],
  ])('is %s, for a message must have data and breaks no handler', async (...[, data, expected, ...ids]) => {
    shows(...ids);
    expect(await reported(data)).toEqual(expected);
  });

  test('breaks no handler when redaction is off', async () => {
    const circular: { self?: unknown } = {};
    circular.self = circular;
    expect(await reported(circular, { redact: false })).toBe('[unreadable]');
  });

  test('is cut at a limit, with a note', async () => {
    shows('2026-07-28/server/utilities/logging/validate-data');
    const circular: { self?: unknown } = {};
    circular.self = circular;
    expect(await reported(circular)).toEqual({ self: '[circular]' });
    expect(String(await reported('a'.repeat(2_000_000))).length).toBeLessThan(1_100_000);
  });

  test('is free of texts that a hook removes, such as names of people', async () => {
    shows(
      '2024-11-05/server/utilities/logging/no-personal-data',
      '2024-11-05/server/utilities/logging/monitored',
      '2026-07-28/server/utilities/logging/sensitive-removed',
      '2026-07-28/server/utilities/logging/no-personal-data',
      '2026-07-28/server/utilities/logging/monitor',
    );
    const redact = (data: unknown) =>
      JSON.parse(JSON.stringify(data).replaceAll('ada@example.com', '[mail]'));
    const data = { to: 'ada@example.com', token: 'abc' };
    expect(await reported(data, { redact })).toEqual({ to: '[mail]', token: x });
  });

  test('is nothing at all when the hook fails', async () => {
    shows('2024-11-05/server/utilities/logging/monitored');
    const redact = () => {
      throw new Error('no');
    };
    expect(await reported('secret', { redact })).toBe('[redaction failed]');
  });

  test('is unchanged when redaction is off', async () => {
    expect(await reported({ password: 'a' }, { redact: false })).toEqual({ password: 'a' });
  });

  test('is clean as well in messages that belong to no request', async () => {
    const one = createServer(info);
    const peer = await WirePeer.open(one);
    await peer.request('ping');
    one.log('error', { password: 'a' }, 'jobs');
    const { params } = await peer.heard('notifications/message');
    expect(params).toEqual({ level: 'error', logger: 'jobs', data: { password: x } });
  });

  test('does no work for messages below all log levels', async () => {
    const seen: unknown[] = [];
    const one = createServer(info, { redact: (data) => void seen.push(data) }).tool('log', {}, (_, ctx) => {
      ctx.log('debug', 'quiet');
      return 'done';
    });
    const peer = await WirePeer.open(one);
    await peer.request('tools/call', { name: 'log' });
    expect(seen).toEqual([]);
  });

  test('rejects a hook that is not a function', () => {
    expect(() => createServer(info, { redact: true as never })).toThrow(
      '"redact" must be false, or a function',
    );
    expect(() => createServer(info, { redact: async (data: unknown) => data })).toThrow(
      '"redact" must be a synchronous function',
    );
  });
});

describe('more log messages than the limit', () => {
  function chatty(more: ServerOptions = {}) {
    const clock = new FakeClock();
    const one = createServer(info, { clock, limits: otherBounds({ logsPerSecond: 3 }), ...more }).tool(
      'chat',
      { input: { type: 'object', properties: { times: { type: 'number' } } } as const },
      ({ times = 1 }, ctx) => {
        for (let index = 0; index < times; index++) ctx.log('error', index);
        return 'done';
      },
    );
    return { one, clock };
  }
  const dataHeard = (peer: WirePeer) =>
    peer.received.flatMap((one) => (one.method === 'notifications/message' ? [one.params?.data] : []));
  const chat = (peer: WirePeer, times: number, meta?: object) =>
    peer.request('tools/call', { name: 'chat', arguments: { times } }, meta);

  test('are dropped; a warning before the next one has their number', async () => {
    shows(
      '2024-11-05/server/utilities/logging/rate-limited',
      '2026-07-28/server/utilities/logging/rate-limit',
    );
    const { one, clock } = chatty();
    const peer = await WirePeer.open(one);
    await chat(peer, 10);
    expect(dataHeard(peer)).toEqual([0, 1, 2]);
    await clock.advance(1_000);
    await chat(peer, 1);
    expect(dataHeard(peer).slice(3)).toEqual(['Log messages dropped: 7. At most 3 are sent in a second.', 0]);
    expect(levelsHeard(peer).slice(3)).toEqual(['warning', 'error']);
    await clock.advance(1_000);
    await chat(peer, 1);
    expect(dataHeard(peer).slice(5)).toEqual([0]);
  });

  test('are counted for each session by itself', async () => {
    const { one } = chatty();
    const peer = await WirePeer.open(one);
    const other = await WirePeer.open(one);
    await chat(peer, 10);
    await chat(other, 2);
    expect(dataHeard(other)).toEqual([0, 1]);
  });

  test('are counted for each request without a session', async () => {
    shows('2026-07-28/server/utilities/logging/rate-limit');
    const { one } = chatty();
    const peer = await WirePeer.open(one, latestStateless);
    for (let call = 0; call < 2; call++) await chat(peer, 10, { [logLevel]: 'error' });
    expect(dataHeard(peer)).toEqual([0, 1, 2, 0, 1, 2]);
  });

  test('are counted with those that belong to no request', async () => {
    const { one, clock } = chatty();
    const peer = await WirePeer.open(one);
    await chat(peer, 2);
    for (let index = 0; index < 5; index++) one.log('alert', `own ${index}`);
    await clock.advance(1_000);
    one.log('alert', 'later');
    await peer.request('ping');
    expect(dataHeard(peer)).toEqual([
      ...[0, 1, 'own 0'],
      'Log messages dropped: 4. At most 3 are sent in a second.',
      'later',
    ]);
  });

  test('reports dropped messages at the log level of the session', async () => {
    const { one, clock } = chatty();
    const peer = await WirePeer.open(one);
    await peer.request('logging/setLevel', { level: 'error' });
    await chat(peer, 10);
    await clock.advance(1_000);
    await chat(peer, 1);
    expect(levelsHeard(peer)).toEqual(['error', 'error', 'error', 'error', 'error']);
  });

  test('begin at 100 a second by default', async () => {
    shows(
      '2024-11-05/server/utilities/logging/rate-limited',
      '2026-07-28/server/utilities/logging/security-rate-limit',
    );
    const one = createServer(info, { clock: new FakeClock() }).tool('chat', {}, (_, ctx) => {
      for (let index = 0; index < 1_000; index++) ctx.log('error', index);
      return 'done';
    });
    const peer = await WirePeer.open(one);
    await peer.request('tools/call', { name: 'chat' });
    expect(dataHeard(peer)).toHaveLength(100);
  });
});

test('reports a message of an unknown level only to the author', async () => {
  const reported: string[] = [];
  const wrong = createServer(info, { onError: (error, where) => reported.push(`${where}: ${error}`) }).tool(
    'wrong',
    {},
    (_, ctx) => {
      ctx.log('warn' as never, 'lost');
      return 'done';
    },
  );
  const peer = await WirePeer.open(wrong);
  expect((await peer.request('tools/call', { name: 'wrong' })).result?.content).toEqual([
    { type: 'text', text: 'done' },
  ]);
  wrong.log('warn' as never, 'lost');
  expect(levelsHeard(peer)).toEqual([]);
  const sentence = `There is no log level "warn": there are ${logLevels.join(', ')}.`;
  expect(reported).toEqual([`log: TypeError: ${sentence}`, `log: TypeError: ${sentence}`]);
});

test('removes texts from log messages at any depth', async () => {
  const text = (said: string) => said.replace(/\S+@\S+/g, '[mail]');
  const careful = createServer(info, { redact: (data) => redact(data, { text }) })
    .use(cleanResults({ text }))
    .tool('tell', { output: { type: 'object', properties: { who: {} } } }, (_, ctx) => {
      ctx.log('error', { users: [{ mail: 'ada@example.com', password: 'x' }] });
      return { who: [{ mail: 'ada@example.com', password: 'x' }] };
    });
  const peer = await WirePeer.open(careful);
  const { result } = await peer.request('tools/call', { name: 'tell' });
  const clean = [{ mail: '[mail]', password: '[redacted]' }];
  expect((await peer.heard('notifications/message')).params?.data).toEqual({ users: clean });
  expect(result?.structuredContent).toEqual({ who: clean });
  expect(result?.content).toEqual([{ type: 'text', text: JSON.stringify({ who: clean }) }]);
});
