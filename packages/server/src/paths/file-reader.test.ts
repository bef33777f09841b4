import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import { latestStateless, WirePeer } from '../../test/wire-peer.js';
import { createServer } from '../server.js';
import { fileReader } from './file-reader.js';
import { insideRoots } from './root-guard.js';

let base = '';
let root = '';

beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'reader-')));
  root = join(base, 'root');
  await mkdir(join(root, 'sub'), { recursive: true });
  await writeFile(join(root, 'sub', 'a b.md'), '# é');
  await writeFile(join(root, 'pixel.png'), new Uint8Array([0x89, 0x50, 0, 1]));
  await writeFile(join(root, 'app.log'), 'line');
  await writeFile(join(root, 'large'), 'x'.repeat(101));
  await writeFile(join(base, 'secret'), 'secret');
  await symlink(join(base, 'secret'), join(root, 'leak'));
});
afterEach(() => rm(base, { recursive: true, force: true }));

async function read(uri: string) {
  const server = createServer({ name: 'files', version: '1' }).resource(
    'file:///{+path}',
    {},
    fileReader(insideRoots([root]), { maxBytes: 100, mimeTypes: { '.log': 'text/x-log' } }),
  );
  const peer = await WirePeer.open(server);
  return peer.request('resources/read', { uri });
}

const uriOf = (...parts: string[]) => pathToFileURL(join(...parts)).href;

test.each([
  ['text in UTF-8', ['sub', 'a b.md'], { mimeType: 'text/markdown', text: '# é' }],
  ['bytes', ['pixel.png'], { mimeType: 'image/png', blob: 'iVAAAQ==' }],
  ['a kind of file the author names', ['app.log'], { mimeType: 'text/x-log', text: 'line' }],
])('returns %s inside the root', async (_, path, contents) => {
  const uri = uriOf(root, ...path);
  expect((await read(uri)).result).toEqual({ contents: [{ uri, ...contents }] });
});

describe('file: URIs that are not found', () => {
  test.each<[string, () => string, ...string[]]>([
    ['outside the root', () => uriOf(base, 'secret')],
    ['a step out of it', () => `${uriOf(root)}/../secret`],
    [
      'an encoded step out',
      () => `${uriOf(root)}/%2e%2e/secret`,
      '2026-07-28/server/resources/sanitize-paths',
    ],
    ['an encoded separator', () => `${uriOf(root)}/..%2fsecret`],
    ['an encoded backslash', () => `${uriOf(root)}/..%5csecret`],
    ['a link out of it', () => uriOf(root, 'leak'), '2026-07-28/server/resources/sanitize-paths'],
    ['a file that does not exist', () => uriOf(root, 'none')],
    ['a folder', () => uriOf(root, 'sub')],
    ['another host', () => `file://host${root}/app.log`],
  ])('%s', async (_, uri, ...ids) => {
    shows(...ids);
    const { error, result } = await read(uri());
    expect(result).toBeUndefined();
    expect(error).toMatchObject({ code: -32002, message: 'Resource not found' });
  });
});

test('rejects a file that is too large with its limit', async () => {
  const { error } = await read(uriOf(root, 'large'));
  expect(error?.message).toBe('The file is too large: at most 100 bytes are read.');
});

test('accepts a guard made of the roots of the call', async () => {
  const reader = fileReader(async (ctx) => insideRoots(await ctx.roots('roots')));
  const server = createServer({ name: 'files', version: '1' }).resource('file:///{+path}', {}, reader);
  const peer = await WirePeer.open(server, latestStateless, { roots: {} });
  const params = { uri: uriOf(root, 'app.log') };
  const asked = (await peer.request('resources/read', params)).result;
  expect(asked?.inputRequests?.roots).toMatchObject({ method: 'roots/list' });
  const inputResponses = { roots: { roots: [{ uri: uriOf(root) }] } };
  const { requestState } = asked!;
  const { result } = await peer.request('resources/read', { ...params, inputResponses, requestState });
  expect(result?.contents?.[0]?.text).toBe('line');
});

test.each([0, -1, Number.NaN])('a bound of %d bytes is misuse', (maxBytes) => {
  expect(() => fileReader(insideRoots([]), { maxBytes })).toThrow(RangeError);
});

test('an option that does not exist is misuse', () => {
  expect(() => fileReader(insideRoots([]), { maxByte: 5 } as never)).toThrow('there is no option "maxByte"');
});

test.each(['/tmp', undefined, {}])('rejects %j as a guard', (guard) => {
  expect(() => fileReader(guard as never)).toThrow('fileReader takes a guard: fileReader(insideRoots(["/');
});
