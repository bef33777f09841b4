import { otherBounds } from '@tenon/foundation';
import { describe, expect, test } from 'vitest';
import { shows, showsBy } from '../../../../../tooling/suite/shows.js';
import { everyRevision, latestStateless, WirePeer } from '../../../test/wire-peer.js';
import { createServer } from '../../server.js';

const info = { name: 'test', version: '1' };

function library() {
  return createServer(info)
    .resource('notes://today', { name: 'today', mimeType: 'text/plain', title: 'Today' }, () => 'a note')
    .resource('notes://bytes', {}, () => new Uint8Array([0, 255, 16]))
    .resource(
      'notes://by-day/{day}',
      {
        name: 'day',
        mimeType: 'text/plain',
        list: async () => [{ uri: 'notes://by-day/monday', name: 'monday' }],
        complete: { day: (typed) => ['monday', 'tuesday'].filter((day) => day.startsWith(typed)) },
      },
      ({ variables }) => (variables.day === 'never' ? undefined : `note of ${variables.day}`),
    );
}

describe.each(everyRevision)('in $id', (revision) => {
  test('resources are listed, templates enumerate theirs, and both are read', async () => {
    showsBy(revision.id, {
      '2026-07-28': [
        '2026-07-28/server/resources/respond-to-list',
        '2026-07-28/server/resources/binary-encoded',
      ],
    });
    const peer = await WirePeer.open(library(), revision);
    const list = await peer.request('resources/list');
    expect(list.result?.resources?.map((one) => one.uri)).toEqual([
      'notes://today',
      'notes://bytes',
      'notes://by-day/monday',
    ]);
    const templates = await peer.request('resources/templates/list');
    expect(templates.result?.resourceTemplates).toMatchObject([
      { uriTemplate: 'notes://by-day/{day}', name: 'day' },
    ]);
    const text = await peer.request('resources/read', { uri: 'notes://today' });
    expect(text.result?.contents).toEqual([{ uri: 'notes://today', mimeType: 'text/plain', text: 'a note' }]);
    const bytes = await peer.request('resources/read', { uri: 'notes://bytes' });
    expect(bytes.result?.contents).toEqual([{ uri: 'notes://bytes', blob: 'AP8Q' }]);
    const templated = await peer.request('resources/read', { uri: 'notes://by-day/friday' });
    expect(templated.result?.contents?.[0]?.text).toBe('note of friday');
  });

  test('answers for an unknown resource with the error code of the revision and the URI', async () => {
    showsBy(revision.id, {
      '2024-11-05': ['2024-11-05/server/resources/not-found', '2024-11-05/server/resources/uris-validated'],
      '2026-07-28': [
        '2026-07-28/basic/index/retired-codes',
        '2026-07-28/server/resources/not-found',
        '2026-07-28/server/resources/not-found-not-empty',
        '2026-07-28/server/resources/validate-uris',
      ],
    });
    const peer = await WirePeer.open(library(), revision);
    for (const uri of ['notes://none', 'notes://by-day/never', '__proto__']) {
      const answer = await peer.request('resources/read', { uri });
      expect(answer.error).toEqual({
        code: revision.rules.notFoundCode,
        message: 'Resource not found',
        data: { uri },
      });
    }
  });
});

test('notifies a session of its subscribed resources until it unsubscribes', async () => {
  shows('2025-11-25-server-features/resources/subscribe');
  const server = library();
  const peer = await WirePeer.open(server);
  expect((await peer.request('resources/subscribe', { uri: 'notes://today' })).result).toEqual({});
  server.resourceUpdated('notes://bytes');
  server.resourceUpdated('notes://today');
  expect((await peer.heard('notifications/resources/updated')).params).toEqual({ uri: 'notes://today' });
  await peer.request('resources/unsubscribe', { uri: 'notes://today' });
  server.resourceUpdated('notes://today');
  await peer.request('ping');
  expect(peer.received.filter((one) => one.method === 'notifications/resources/updated')).toHaveLength(1);
});

test('limits the subscribed resources of a session', async () => {
  const server = createServer(info, { limits: otherBounds({ subscriptions: 1 }) }).resource(
    'a://a',
    {},
    () => 'x',
  );
  const peer = await WirePeer.open(server);
  await peer.request('resources/subscribe', { uri: 'a://a' });
  const answer = await peer.request('resources/subscribe', { uri: 'a://b' });
  expect(answer.error).toMatchObject({ code: -31001 });
  expect(answer.error?.message).toContain('may subscribe to 1 resources');
});

test('pages follow one another by cursor, and a foreign cursor is invalid params', async () => {
  shows(
    '2024-11-05/server/utilities/pagination/invalid-cursors-handled',
    '2024-11-05/server/utilities/pagination/invalid-cursor-code',
    '2026-07-28/server/utilities/pagination/invalid-cursors',
    '2026-07-28/server/utilities/pagination/invalid-cursor-error',
  );
  const server = createServer(info, { limits: { pageSize: 2 } });
  for (const letter of 'abcde') server.resource(`x://${letter}`, {}, () => letter);
  const peer = await WirePeer.open(server, latestStateless);
  const seen: unknown[] = [];
  let cursor: unknown;
  do {
    const { result } = await peer.request('resources/list', cursor === undefined ? {} : { cursor });
    seen.push(result?.resources?.map((one) => one.uri));
    cursor = result?.nextCursor;
  } while (cursor !== undefined);
  expect(seen).toEqual([['x://a', 'x://b'], ['x://c', 'x://d'], ['x://e']]);
  for (const bad of ['', 'bm9wZQ==', '!!!', 'x'.repeat(5_000)]) {
    expect((await peer.request('resources/list', { cursor: bad })).error?.code).toBe(-32602);
  }
});

test.each<[() => unknown, string, ...string[]]>([
  [
    () => createServer(info).resource('no scheme', {}, () => 'x'),
    'needs an absolute URI',
    '2026-07-28/server/resources/custom-schemes',
  ],
  [() => createServer(info).resource('a://b', { list: () => [] }, () => 'x'), 'is not a template'],
  [() => createServer(info).resource('a://{b', {}, () => 'x'), 'a://{b'],
  [
    () => createServer(info).resource('a://{b}', { complete: { c: () => [] } as never }, () => 'x'),
    'completes "c"',
  ],
])('rejects misuse at registration: %#', (register, message, ...ids) => {
  shows(...ids);
  expect(register).toThrow(message);
});

test('lists a resource of several lists once, so that pages end', async () => {
  const notes = [1, 2, 3, 4].map((id) => ({ uri: `notes://${id}`, name: `listed ${id}` }));
  const server = createServer(info, { limits: { pageSize: 2 } })
    .resource('notes://2', { name: 'own' }, () => 'x')
    .resource('notes://{id}', { list: () => notes }, () => 'x')
    .resource('notes://{id}{?raw}', { list: () => notes }, () => 'x');
  const peer = await WirePeer.open(server);
  const seen: unknown[] = [];
  let cursor: unknown;
  do {
    const { result } = await peer.request('resources/list', cursor === undefined ? {} : { cursor });
    seen.push(...(result?.resources?.map((one) => one.name) ?? []));
    cursor = result?.nextCursor;
  } while (cursor !== undefined && seen.length < 10);
  expect(seen).toEqual(['own', 'listed 1', 'listed 3', 'listed 4']);
});

test('lists are for everybody again when the last template that makes one up is gone', async () => {
  const server = createServer(info)
    .resource('a://a', {}, () => 'x')
    .resource('a://{b}', { list: () => [] }, () => 'x');
  const peer = await WirePeer.open(server, latestStateless);
  expect((await peer.request('resources/list')).result?.cacheScope).toBe('private');
  server.removeResource('a://{b}');
  expect((await peer.request('resources/list')).result?.cacheScope).toBe('public');
});

test('accepts only one text of each cursor, so that stored pages stay few', async () => {
  const server = createServer(info, { limits: { pageSize: 1 } });
  for (const letter of 'abc') server.resource(`x://${letter}`, {}, () => letter);
  const peer = await WirePeer.open(server);
  const cursor = String((await peer.request('resources/list')).result?.nextCursor);
  for (const alias of [` ${cursor}`, `${cursor}=`, `${cursor}\n`, `${cursor.slice(0, 3)} ${cursor.slice(3)}`])
    expect((await peer.request('resources/list', { cursor: alias })).error?.code).toBe(-32602);
  expect((await peer.request('resources/list', { cursor })).result?.resources?.[0]?.uri).toBe('x://b');
});

test('a resource with visibility is not public, whatever its cache hints are', async () => {
  shows(
    '2026-07-28/server/utilities/caching/public-aware',
    '2026-07-28/server/utilities/caching/scope-correct',
  );
  const cache = { ttlMs: 1_000, cacheScope: 'public' } as const;
  const server = createServer(info)
    .resource('a://all', { cache }, () => 'x')
    .resource('a://some', { cache, visible: () => true }, () => 'x')
    .resource('a://full', { cache, visible: () => true }, ({ uri }) => ({
      contents: [{ uri, text: 'x' }],
      cacheScope: 'public',
    }));
  const peer = await WirePeer.open(server, latestStateless);
  const hints = async (uri: string) => {
    const { result } = await peer.request('resources/read', { uri });
    return { ttlMs: result?.ttlMs, cacheScope: result?.cacheScope };
  };
  expect(await hints('a://all')).toEqual(cache);
  expect(await hints('a://some')).toEqual({ ttlMs: 1_000, cacheScope: 'private' });
  expect(await hints('a://full')).toEqual({ ttlMs: 1_000, cacheScope: 'private' });
});

test('counts two subscriptions of a session to one resource once', async () => {
  const server = createServer(info, { limits: otherBounds({ subscriptions: 1 }) }).resource(
    'a://a',
    {},
    () => 'x',
  );
  const peer = await WirePeer.open(server);
  for (let time = 0; time < 2; time++)
    expect((await peer.request('resources/subscribe', { uri: 'a://a' })).result).toEqual({});
});
