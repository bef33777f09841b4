import type { Principal } from '@tenon/mcp-protocol';
import { describe, expect, test } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import { latestStateless, WirePeer } from '../../test/wire-peer.js';
import { Registry, type Visibility } from '../core/registry.js';
import { ServerGuard } from '../core/server-guard.js';
import { partsOf } from '../options.js';
import { createServer, type Server } from '../server.js';
import { List } from './list.js';

interface Item {
  readonly name: string;
}

/** A list of tools, two on a page, in one process. */
class Shelf {
  readonly registry = new Registry<{ definition: Item; visible: Visibility | undefined }>(
    'tool',
    new ServerGuard(),
    () => {},
  );
  readonly list: List<Item>;

  constructor(names: string) {
    const parts = partsOf({ name: 'shelf', version: '1' }, { limits: { pageSize: 2 } });
    this.list = new List(parts, { registry: this.registry, member: 'tools', key: (item) => item.name });
    for (const one of names) this.add(one);
  }

  add(name: string, visible?: Visibility): void {
    this.registry.add(name, { definition: { name }, visible });
  }

  page(cursor?: string, principal?: Principal): { names: string; next: string | undefined } {
    const page = this.list.get(cursor, principal) as unknown as { tools: Item[]; nextCursor?: string };
    return { names: page.tools.map((item) => item.name).join(''), next: page.nextCursor };
  }

  rest(cursor: string | undefined): string {
    if (cursor === undefined) return '';
    const { names, next } = this.page(cursor);
    return names + this.rest(next);
  }
}

const badCursor = 'not a cursor of this list';

test('pages follow one another in the order of registration, whenever they are asked for', () => {
  const shelf = new Shelf('badce');
  for (let time = 0; time < 2; time++) {
    const { names, next } = shelf.page();
    expect(names + shelf.rest(next)).toBe('badce');
  }
});

test('moves an entry to the end when it is registered again', () => {
  const shelf = new Shelf('abcde');
  shelf.registry.remove('b');
  shelf.add('b');
  const { names, next } = shelf.page();
  expect(names + shelf.rest(next)).toBe('acdeb');
});

describe('a cursor', () => {
  test('is good after a restart and on another instance, where the same is registered', () => {
    shows(
      '2024-11-05/server/utilities/pagination/stable-cursors',
      '2026-07-28/server/utilities/pagination/stable-cursors',
    );
    const { next } = new Shelf('abcde').page();
    const restarted = new Shelf('abcde');
    expect(restarted.page().next).toBe(next);
    expect(restarted.page(next).names).toBe('cd');
  });

  test('is refused when it was written by a server with other items', () => {
    const { next } = new Shelf('vwxyz').page();
    expect(() => new Shelf('abcde').page(next)).toThrow(badCursor);
  });

  test('outlives the item it was written after', () => {
    shows(
      '2024-11-05/server/utilities/pagination/stable-cursors',
      '2026-07-28/server/utilities/pagination/stable-cursors',
    );
    const shelf = new Shelf('abcdef');
    const { next } = shelf.page();
    shelf.registry.remove('b');
    expect(shelf.rest(next)).toBe('cdef');
    shelf.registry.remove('a');
    shelf.registry.remove('c');
    expect(shelf.rest(next)).toBe('def');
  });

  test('skips no item when the marked item is registered again, at the end', () => {
    const shelf = new Shelf('abcdef');
    const { next } = shelf.page();
    shelf.registry.remove('b');
    shelf.add('b');
    expect(shelf.rest(next)).toBe('cdefb');
  });

  test('misses nothing when the last items of a list are gone', () => {
    const shelf = new Shelf('abc');
    const { next } = shelf.page();
    shelf.registry.remove('c');
    expect(shelf.page(next)).toEqual({ names: '', next: undefined });
    shelf.add('d');
    expect(shelf.rest(next)).toBe('d');
  });

  test.each([
    ['more stands before', 'xabcdef', 'bcdef'],
    ['more stands behind', 'abcdefx', 'cdefx'],
    ['less stands before', 'bcdef', 'cdef'],
  ])('after a restart in which %s, shows what comes after its place', (_, names, rest) => {
    const { next } = new Shelf('abcdef').page();
    expect(new Shelf(names).rest(next)).toBe(rest);
  });

  test.each([
    ['is further on than this process ever was', 'x'],
    ['was written after what is not registered any more', 'acdef'],
  ])('that %s is refused after a restart, rather than anything missed', (_, names) => {
    const { next } = new Shelf('abcdef').page();
    expect(() => new Shelf(names).page(next)).toThrow(badCursor);
  });

  test('continues for a caller who cannot see the item it was written after', () => {
    const shelf = new Shelf('a');
    const staff = (principal: Principal | undefined) => principal !== undefined;
    shelf.add('b', staff);
    for (const name of 'cdef') shelf.add(name);
    const asStaff = shelf.page(undefined, { id: 'ann' });
    expect(asStaff.names).toBe('ab');
    expect(shelf.page(asStaff.next).names).toBe('cd');
    expect(shelf.page().names).toBe('ac');
    expect(shelf.page(shelf.page().next, { id: 'ann' }).names).toBe('de');
  });
});

test.each([
  ['do not authenticate', undefined, { id: 'ann' }],
  ['authenticate', { id: 'ann' }, undefined],
])(
  'makes a page once for callers that transports %s, and again after a change of the list',
  (_title, as, other) => {
    const shelf = new Shelf('abcde');
    const { next } = shelf.page();
    const page = shelf.list.get(next, as);
    expect(shelf.list.get(next, as && { id: 'bob' })).toBe(page);
    expect(shelf.list.get(next, other)).not.toBe(page);
    expect({ ...shelf.list.get(next, other), cacheScope: page.cacheScope }).toEqual(page);
    shelf.add('f');
    expect(shelf.list.get(next, as)).not.toBe(page);
  },
);

test('as many pages are kept as the list has, however many cursors lead into it', () => {
  const shelf = new Shelf('abcdefgh');
  const old = [...'abcdefgh'].map(() => {
    const { next } = shelf.page();
    const first = shelf.page().names[0] ?? '';
    shelf.registry.remove(first);
    shelf.add(first);
    return next;
  });
  const pages = () => old.map((cursor) => shelf.list.get(cursor, undefined));
  const [earlier, later] = [pages(), pages()];
  expect(new Set(old).size).toBe(8);
  expect(later.filter((page) => earlier.includes(page)).length).toBeLessThanOrEqual(4);
});

describe('a list that a template makes up', () => {
  const uris = async (server: Server, cursor?: unknown) => {
    const peer = await WirePeer.open(server, latestStateless);
    const { result } = await peer.request('resources/list', cursor === undefined ? {} : { cursor });
    return {
      uris: result?.resources?.map((one) => one.uri),
      next: result?.nextCursor,
      scope: result?.cacheScope,
    };
  };
  const serverOf = (present: { names: string }) =>
    createServer({ name: 'notes', version: '1' }, { limits: { pageSize: 2 } }).resource(
      'n://{id}',
      { list: () => [...present.names].map((id) => ({ uri: `n://${id}`, name: id })) },
      () => 'x',
    );

  test('goes on after the item a page ended with, wherever it stands by then', async () => {
    const present = { names: 'abcdef' };
    const server = serverOf(present);
    const { next, scope } = await uris(server);
    expect(scope).toBe('private');
    present.names = 'xyabcdef';
    expect((await uris(server, next)).uris).toEqual(['n://c', 'n://d']);
    present.names = 'bcdef';
    expect((await uris(serverOf(present), next)).uris).toEqual(['n://c', 'n://d']);
  });

  test('goes on at what took its place when the item is gone', async () => {
    const present = { names: 'abcdef' };
    const { next } = await uris(serverOf(present));
    present.names = 'acdef';
    expect((await uris(serverOf(present), next)).uris).toEqual(['n://c', 'n://d']);
    present.names = '';
    expect(await uris(serverOf(present), next)).toEqual({ uris: [], next: undefined, scope: 'private' });
  });
});

test('a cursor of one method is refused by all others', async () => {
  const server = createServer({ name: 'test', version: '1' }, { limits: { pageSize: 1 } });
  for (const name of ['a', 'b']) {
    server.tool(name, {}, () => 'x').prompt(name, {}, () => 'x');
    server.resource(`x://${name}`, {}, () => 'x').resource(`x://${name}/{id}`, {}, () => 'x');
  }
  const peer = await WirePeer.open(server, latestStateless);
  const methods = ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'];
  for (const given of methods) {
    const cursor = (await peer.request(given)).result?.nextCursor;
    for (const asked of methods) {
      const answer = await peer.request(asked, { cursor });
      expect(answer.error?.code).toBe(asked === given ? undefined : -32602);
    }
  }
});
