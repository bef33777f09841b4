import { describe, expect, test } from 'vitest';
import { shows, showsBy } from '../../../../tooling/suite/shows.js';
import { type Json, latestStateless as revision, WirePeer } from '../../test/wire-peer.js';
import { createServer, type Server } from '../server.js';

const info = { name: 'test', version: '1' };
const hintsOf = (result: Json | undefined) => ({ ttlMs: result?.ttlMs, cacheScope: result?.cacheScope });
type Visible = (() => boolean) | undefined;
const nobody: Visible = () => false;

async function pagesOf(server: Server, method: string): Promise<Json[]> {
  const peer = await WirePeer.open(server, revision);
  const pages: Json[] = [];
  let cursor: unknown;
  do {
    const { result } = await peer.request(method, cursor === undefined ? {} : { cursor });
    pages.push(result as Json);
    cursor = result?.nextCursor;
  } while (cursor !== undefined);
  return pages;
}

/** Four entries of each kind, on a page each; the last may be hidden. */
function paged(visible?: Visible): Server {
  const server = createServer(info, {
    limits: { pageSize: 1 },
    cache: { lists: 9 },
  });
  const options = (name: string) => (visible !== undefined && name === 'd' ? { visible } : {});
  for (const name of ['a', 'b', 'c', 'd']) {
    server.tool(name, options(name), () => 'x');
    server.prompt(name, options(name), () => 'x');
    server.resource(`x://${name}`, options(name), () => 'x');
    server.resource(`x://${name}/{id}`, options(name), () => 'x');
  }
  return server as unknown as Server;
}

describe.each(['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'])(
  '%s',
  (method) => {
    test.each<[string, string, Visible, number]>([
      ['public', 'where all is for all', undefined, 4],
      ['private', 'where the last is hidden', nobody, 3],
      ['private', 'where the last might be hidden', () => true, 4],
    ])('every page of a list is for the same caches: %s %s', async (...row) => {
      const [cacheScope, , visible, count] = row;
      showsBy(`${method} ${cacheScope}`, {
        'tools/list public': '2026-07-28/server/utilities/caching/same-scope',
        'tools/list private': '2026-07-28/server/utilities/caching/private-pages',
        'resources/list public': '2026-07-28/server/utilities/caching/same-scope',
        'resources/list private': '2026-07-28/server/utilities/caching/private-pages',
      });
      const pages = await pagesOf(paged(visible), method);
      expect(pages).toHaveLength(count);
      for (const page of pages) expect(hintsOf(page)).toEqual({ ttlMs: 9, cacheScope });
    });

    test('a list that differs by who asks is private, whatever the options say', async () => {
      showsBy(method, { 'tools/list': '2026-07-28/server/utilities/caching/public-aware' });
      const [page] = await pagesOf(paged(nobody), method);
      expect(hintsOf(page).cacheScope).toBe('private');
    });
  },
);

test.each([-1, Number.NaN, 1.5, Number.POSITIVE_INFINITY, '9' as never])(
  'a lifetime that is negative or no number is refused: %s',
  (ttlMs) => {
    shows('2026-07-28/server/utilities/caching/ttl-provided');
    expect(() => createServer(info, { cache: { lists: ttlMs } })).toThrow(RangeError);
    expect(() => createServer(info).resource('a://a', { cache: { ttlMs } }, () => 'x')).toThrow(RangeError);
  },
);

test('a server that tells of changes gives lifetimes too', async () => {
  shows('2026-07-28/server/utilities/caching/ttl-with-list-changed');
  const server = createServer(info, { cache: { lists: 60_000 } }).tool('t', {}, () => 'x');
  const peer = await WirePeer.open(server, revision);
  expect((await peer.request('server/discover')).result?.capabilities?.tools).toEqual({ listChanged: true });
  expect((await peer.request('tools/list')).result?.ttlMs).toBe(60_000);
});
