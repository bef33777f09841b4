import { mkdir, mkdtemp, readFile, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Root } from '@tenon/mcp-protocol';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import { WirePeer } from '../../test/wire-peer.js';
import { ToolError } from '../results/tool-result.js';
import { createServer } from '../server.js';
import { insideRoots, type RootGuard } from './root-guard.js';

let base = '';
let root = '';
let guard: RootGuard;

const uriOf = (path: string) => pathToFileURL(path).href;
const rootOf = (path: string): Root => ({ uri: uriOf(path) });

beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'guard-')));
  root = join(base, 'root');
  await mkdir(join(root, 'sub'), { recursive: true });
  await mkdir(join(base, 'rooted'));
  await mkdir(join(base, 'outside'));
  await writeFile(join(root, 'a b.txt'), 'inside');
  await writeFile(join(base, 'rooted', 'b.txt'), 'beside');
  await writeFile(join(base, 'outside', 'secret.txt'), 'secret');
  await symlink(join(root, 'a b.txt'), join(root, 'good'));
  await symlink(join(base, 'outside'), join(root, 'exit'));
  await symlink(join(base, 'outside', 'secret.txt'), join(root, 'leak'));
  await symlink(join(base, 'outside', 'new.txt'), join(root, 'dangling'));
  await symlink('loop', join(root, 'loop'));
  await symlink(root, join(base, 'alias'));
  guard = insideRoots([rootOf(root)]);
});
afterEach(() => rm(base, { recursive: true, force: true }));

const allowed: readonly (readonly [name: string, given: () => string, real: () => string])[] = [
  ['the root itself', () => root, () => root],
  ['the root with a slash at its end', () => `${root}/`, () => root],
  ['a file', () => join(root, 'a b.txt'), () => join(root, 'a b.txt')],
  ['a file: URI with escapes', () => uriOf(join(root, 'a b.txt')), () => join(root, 'a b.txt')],
  ['a path relative to the only root', () => 'sub/../a b.txt', () => join(root, 'a b.txt')],
  ['a step up that stays inside', () => `${root}/sub/../a b.txt`, () => join(root, 'a b.txt')],
  ['a link inside', () => join(root, 'good'), () => join(root, 'a b.txt')],
  ['a file that is not there yet', () => join(root, 'sub', 'new.txt'), () => join(root, 'sub', 'new.txt')],
  ['folders that are not there yet', () => join(root, 'x', 'y', 'z'), () => join(root, 'x', 'y', 'z')],
  ['a path through another name of the root', () => join(base, 'alias', 'good'), () => join(root, 'a b.txt')],
];

test.each(allowed)('%s is inside', async (_, given, real) => {
  expect(await guard.resolve(given())).toBe(real());
});

const outside = 'is outside the roots';
const refused: readonly [name: string, given: () => string, reason: string, ...ids: string[]][] = [
  ['a file elsewhere', () => join(base, 'outside', 'secret.txt'), outside],
  ['a file elsewhere that is not there', () => join(base, 'outside', 'none'), outside],
  ['a path through a file elsewhere', () => join(base, 'outside', 'secret.txt', 'x'), outside],
  [
    'a step out',
    () => `${root}/../outside/secret.txt`,
    outside,
    '2024-11-05/client/roots/paths-validated',
    '2026-07-28/client/roots/validate-paths',
  ],
  ['a step out of the only root', () => '../outside/secret.txt', outside],
  ['a step out in a URI', () => `${uriOf(root)}/%2e%2e/outside/secret.txt`, outside],
  [
    'a folder whose name begins like the root',
    () => join(base, 'rooted', 'b.txt'),
    outside,
    '2026-07-28/client/roots/validate-paths',
  ],
  ['the folder above', () => base, outside],
  ['a link out', () => join(root, 'leak'), outside, '2026-07-28/client/roots/validate-paths'],
  [
    'a file behind a link out',
    () => join(root, 'exit', 'secret.txt'),
    outside,
    '2024-11-05/client/roots/paths-validated',
    '2026-07-28/server/resources/sanitize-paths',
  ],
  ['a new file behind a link out', () => join(root, 'exit', 'new.txt'), outside],
  ['a link out to what is not there', () => join(root, 'dangling'), 'goes through a link that leads nowhere'],
  [
    'a new file behind such a link',
    () => join(root, 'dangling', 'x'),
    'goes through a link that leads nowhere',
  ],
  ['a link to itself', () => join(root, 'loop'), 'goes through a link that leads nowhere'],
  ['a path through a file', () => join(root, 'a b.txt', 'x'), 'goes through a file'],
  ['a URI with an encoded separator', () => `${uriOf(root)}/..%2foutside`, 'encoded separator'],
  ['a URI of another scheme', () => `https://localhost${root}/good`, 'no file: URI'],
  ['a NUL', () => `${root}/good\0.txt`, 'control characters'],
  ['nothing', () => '', 'is empty'],
];

test.each(refused)('%s is refused with the reason', async (...[, given, reason, ...ids]) => {
  shows(...ids);
  const failure = await guard.resolve(given()).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ToolError);
  expect((failure as Error).message).toContain(reason);
});

test('does not reveal the target of a link', async () => {
  const failure = await guard.resolve(join(root, 'leak')).catch((error: Error) => error.message);
  expect(failure).not.toContain('secret');
});

describe('roots', () => {
  test('are several: a relative path is refused, each of them counts', async () => {
    const both = insideRoots([rootOf(join(root, 'sub')), `${base}/rooted/`]);
    await expect(both.resolve('b.txt')).rejects.toThrow('give an absolute path');
    expect(await both.resolve(join(base, 'rooted', 'b.txt'))).toBe(join(base, 'rooted', 'b.txt'));
    await expect(both.resolve(join(root, 'good'))).rejects.toThrow(outside);
  });

  test('without any, every path is rejected', async () => {
    await expect(insideRoots([]).resolve(root)).rejects.toThrow('There are no roots to work in');
  });

  test('that went away allow nothing, and are counted again when they are back', async () => {
    shows('2024-11-05/client/roots/unavailable', '2026-07-28/client/roots/unavailable');
    await rename(root, join(base, 'moved'));
    await expect(guard.resolve(join(root, 'good'))).rejects.toThrow('not there any more');
    await rename(join(base, 'moved'), root);
    expect(await guard.resolve(join(root, 'sub'))).toBe(join(root, 'sub'));
  });

  test.each(['https://example.com', 'file:///a%2fb', 'file://server/share', '/'])(
    'of a client that are not folders, as %s, open nothing',
    async (uri) => {
      await expect(insideRoots([{ uri }]).resolve('/etc/passwd')).rejects.toThrow('There are no roots');
    },
  );

  test.each(['relative', 'https://example.com', ''])(
    'of the author that are not folders, as "%s", are misuse',
    (path) => {
      expect(() => insideRoots([path])).toThrow(TypeError);
    },
  );

  test('that are not in a list are misuse: a text would be taken letter by letter', () => {
    expect(() => insideRoots('/' as never)).toThrow('insideRoots takes a list of roots or folders');
  });
});

describe('opening', () => {
  test('reads, writes and creates inside', async () => {
    shows('2026-07-28/client/roots/respect-boundaries');
    const reading = await guard.open('good');
    expect(await reading.readFile('utf8')).toBe('inside');
    await reading.close();
    for (const name of ['a b.txt', 'new.txt']) {
      const writing = await guard.open(name, 'write');
      await writing.writeFile('x');
      await writing.close();
      expect(await readFile(join(root, name), 'utf8')).toBe('x');
    }
  });

  test.each(['leak', 'exit/secret.txt', '../outside/secret.txt', 'dangling'])(
    'refuses to write to %s',
    async (path) => {
      shows('2024-11-05/client/roots/boundaries');
      await expect(guard.open(path, 'write')).rejects.toThrow(ToolError);
      expect(await readFile(join(base, 'outside', 'secret.txt'), 'utf8')).toBe('secret');
    },
  );

  test.each<[path: string, mode: 'read' | 'write', reason: string]>([
    ['none', 'read', 'does not exist'],
    ['none/none', 'write', 'does not exist'],
    ['sub', 'read', 'is not an ordinary file'],
    ['sub', 'write', 'is a folder'],
  ])('%s to %s is refused: it %s', async (path, mode, reason) => {
    const failure = await guard.open(path, mode).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ToolError);
    expect((failure as Error).message).toBe(`The path "${path}" ${reason}.`);
  });
});

test('over the wire a path outside the roots the client named is an error of the tool', async () => {
  shows(
    '2024-11-05/client/roots/boundaries',
    '2026-07-28/client/roots/boundaries',
    '2026-07-28/client/roots/respect-boundaries',
  );
  const input = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] } as const;
  const server = createServer({ name: 'files', version: '1' }).tool(
    'where',
    { input },
    async ({ path }, ctx) => insideRoots(await ctx.roots('roots')).resolve(path),
  );
  const peer = await WirePeer.open(server, undefined, { roots: {} });
  const call = async (path: string) => {
    peer.received.length = 0;
    const answer = peer.request('tools/call', { name: 'where', arguments: { path } });
    peer.answer((await peer.heard('roots/list')).id, { roots: [rootOf(root)] });
    return (await answer).result;
  };
  expect((await call('good'))?.content?.[0]?.text).toBe(join(root, 'a b.txt'));
  const refusedCall = await call('/etc/passwd');
  expect(refusedCall?.isError).toBe(true);
  expect(refusedCall?.content?.[0]?.text).toBe(
    'The path "/etc/passwd" is outside the roots this server may work in.',
  );
});

test('reports missing folders of the author to the author, and not to the caller', async () => {
  await expect(insideRoots(['/none/such', '/nor/this']).resolve('a')).rejects.toThrow(
    'The path "a" is relative',
  );
  const refused = await insideRoots(['/none/such'])
    .resolve('a')
    .catch((error: unknown) => error);
  expect(refused).not.toBeInstanceOf(ToolError);
  expect(String(refused)).toContain('insideRoots: there is no folder "/none/such".');
});
