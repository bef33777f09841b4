import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { otherBounds } from '@tenon/foundation';
import { revision20250618 } from '@tenon/mcp-protocol/internal';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { shows } from '../../../tooling/suite/shows.js';
import { FakeClock, settled } from '../../testing/src/fake-clock.js';
import { linked } from '../test/linked.js';
import { ScriptedServer } from '../test/scripted-server.js';
import { serverScript } from '../test/scripts.js';
import { type FolderRootsOptions, folderRoots } from './roots.js';

const changed = 'notifications/roots/list_changed';
let base = '';

beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'roots-')));
  await mkdir(join(base, 'one'));
  await mkdir(join(base, 'two words'));
});
afterEach(() => rm(base, { recursive: true, force: true }));

const uriOf = (...parts: string[]) => pathToFileURL(join(base, ...parts)).href;
const unwatched: FolderRootsOptions = { watch: false };

describe('folders', () => {
  it('become file URIs with names', async () => {
    const { available } = await folderRoots([
      join(base, 'one'),
      { path: join(base, 'two words', '..', 'two words'), name: 'Second' },
    ]);
    expect(available).toEqual([
      { uri: uriOf('one'), name: 'one' },
      { uri: `${uriOf()}/two%20words`, name: 'Second' },
    ]);
  });

  it('are listed once when named in several ways', async () => {
    await symlink(join(base, 'one'), join(base, 'link'));
    const { available } = await folderRoots([join(base, 'one'), join(base, 'one/'), join(base, 'link')]);
    expect(available).toEqual([{ uri: uriOf('one'), name: 'one' }]);
  });

  it.each<[string, (path: string) => Promise<unknown>, string, ...string[]]>([
    [
      'that is not there',
      async () => undefined,
      'it does not exist',
      '2024-11-05/client/roots/permissions',
      '2024-11-05/client/roots/accessibility-checked',
      '2026-07-28/client/roots/accessibility-first',
    ],
    [
      'that is a file',
      (path) => writeFile(path, ''),
      'it is not a folder',
      '2024-11-05/client/roots/accessibility-checked',
    ],
    ['that leads nowhere', (path) => symlink(join(base, 'gone'), path), 'it does not exist'],
    ['below a file', (path) => writeFile(path.replace(/\/x$/, ''), ''), 'it does not exist'],
  ])('one %s is refused, with the reason', async (...[what, make, reason, ...ids]) => {
    shows(...ids);
    const path = join(base, what === 'below a file' ? 'file/x' : 'x');
    await make(path);
    await expect(folderRoots([path])).rejects.toThrow(`"${path}" cannot be a root: ${reason}.`);
  });

  it.each(['', 'a\0b', 7 as unknown as string, null as unknown as string])(
    '%j is not a path',
    async (path) => {
      await expect(folderRoots([path])).rejects.toThrow('A root needs the path of a folder');
    },
  );

  it.each<[unknown, object, string]>([
    ['/', {}, 'takes a list of folders'],
    [[{ path: '/', name: 7 }], {}, 'The name of the root "/" must be a text.'],
    [[], { wacth: true }, 'there is no option "wacth". Did you mean "watch"'],
    [[], { watch: 'no' }, 'watch must be true or false'],
  ])('%j with %j is refused', async (folders, options, message) => {
    await expect(folderRoots(folders as string[], options)).rejects.toThrow(message);
  });

  it('are looked after still when a listener has thrown', async () => {
    const reported: unknown[] = [];
    const roots = await folderRoots([join(base, 'one')], {
      ...unwatched,
      onError: (error) => reported.push(error),
    });
    let heard = 0;
    roots.watch(() => {
      throw new Error('mine');
    });
    roots.watch(() => heard++);
    await rm(join(base, 'one'), { recursive: true });
    expect(await roots.refresh()).toBe(true);
    await mkdir(join(base, 'one'));
    expect(await roots.refresh()).toBe(true);
    expect(heard).toBe(2);
    expect(reported).toEqual([new Error('mine'), new Error('mine')]);
  });
});

describe('a server', () => {
  it('receives a notification when a folder is removed and when it is restored', async () => {
    shows(
      '2024-11-05/client/roots/accessibility-monitored',
      '2024-11-05/client/roots/changes-monitored',
      '2026-07-28/client/roots/monitor-accessibility',
    );
    const server = new ScriptedServer(serverScript(revision20250618));
    const roots = await folderRoots([join(base, 'one'), join(base, 'two words')], unwatched);
    await linked(server, { roots });
    await rm(join(base, 'one'), { recursive: true });
    expect(await roots.refresh()).toBe(true);
    await settled();
    expect(server.peer.methods.filter((method) => method === changed)).toHaveLength(1);
    const left = (await server.peer.ask('roots/list')).result;
    expect(left).toEqual({ roots: [{ uri: uriOf('two words'), name: 'two words' }] });

    expect(await roots.refresh()).toBe(false);
    await mkdir(join(base, 'one'));
    expect(await roots.refresh()).toBe(true);
    await settled();
    expect(server.peer.methods.filter((method) => method === changed)).toHaveLength(2);
    const all = (await server.peer.ask('roots/list')).result as { roots: unknown[] };
    expect(all.roots).toHaveLength(2);
  });

  it('that asks is never given a folder that has gone away', async () => {
    shows(
      '2024-11-05/client/roots/permissions',
      '2024-11-05/client/roots/accessibility-checked',
      '2026-07-28/client/roots/access-controls',
      '2026-07-28/client/roots/accessibility-first',
    );
    const server = new ScriptedServer(serverScript(revision20250618));
    await linked(server, { roots: await folderRoots([join(base, 'one')], unwatched) });
    await rm(join(base, 'one'), { recursive: true });
    expect((await server.peer.ask('roots/list')).result).toEqual({ roots: [] });
  });

  it('receives no more notifications after the client closes or replaces its roots', async () => {
    const roots = await folderRoots([join(base, 'one')], unwatched);
    const server = new ScriptedServer(serverScript(revision20250618));
    const client = await linked(server, { roots });
    await client.setRoots([]);
    await settled();
    const reported = server.peer.methods.length;
    await rm(join(base, 'one'), { recursive: true });
    await roots.refresh();
    await client.setRoots(roots);
    await client.close();
    await mkdir(join(base, 'one'));
    await roots.refresh();
    await settled();
    expect(server.peer.methods.slice(reported)).toEqual([changed]);
  });
});

describe('watching', () => {
  /** Resolves when a watch listener is called. */
  function reported(roots: Awaited<ReturnType<typeof folderRoots>>) {
    let stop = () => {};
    const heard = new Promise<void>((resolve) => {
      stop = roots.watch(resolve);
    });
    return { heard, stop };
  }

  it('notices by itself that a folder goes, with the one above it, and comes back', async () => {
    shows(
      '2024-11-05/client/roots/accessibility-monitored',
      '2026-07-28/client/roots/monitor-accessibility',
      '2026-07-28/client/roots/monitor-changes',
    );
    const path = join(base, 'above', 'folder');
    await mkdir(path, { recursive: true });
    const roots = await folderRoots([path], otherBounds({ pause: 1 }));
    const gone = reported(roots);
    await rm(join(base, 'above'), { recursive: true });
    await gone.heard;
    gone.stop();
    expect(roots.available).toEqual([]);
    const back = reported(roots);
    await mkdir(path, { recursive: true });
    await back.heard;
    back.stop();
    expect(roots.available).toHaveLength(1);
  });

  it('looks once for many changes, and holds nothing when it ends', async () => {
    shows('2024-11-05/client/roots/changes-monitored');
    const clock = new FakeClock();
    const roots = await folderRoots([join(base, 'one')], { clock, ...otherBounds({ pause: 500 }) });
    const stop = roots.watch(() => undefined);
    for (let index = 0; index < 50; index++) await writeFile(join(base, `${index}`), '');
    await clock.armed(500);
    expect(clock.waiting).toEqual([500]);
    stop();
    expect(clock.waiting).toEqual([]);
  });
});
