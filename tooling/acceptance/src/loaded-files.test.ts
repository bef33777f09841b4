import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';

let coverage = '';
beforeEach(async () => {
  coverage = await mkdtemp(join(tmpdir(), 'tenon-coverage-'));
});
afterEach(() => rm(coverage, { recursive: true, force: true }));

/** Runs a program, and returns the files of Tenon that V8 ran, as `package/file`. */
async function filesLoadedBy(program: string): Promise<string[]> {
  const cwd = fileURLToPath(new URL('..', import.meta.url));
  const running = promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], {
    cwd,
    env: { ...process.env, NODE_V8_COVERAGE: coverage },
  });
  running.child.stdin?.end();
  await running;
  const [name = ''] = await readdir(coverage);
  const { result } = JSON.parse(await readFile(join(coverage, name), 'utf8')) as {
    result: { url: string }[];
  };
  return result.flatMap(({ url }) => /\/packages\/(.+\/dist\/.+)$/.exec(url)?.[1] ?? []).sort();
}

it('a stdio server loads one file for each entry it uses', async () => {
  const program = `
    import { createServer } from '@tenon/mcp-server';
    import { serveStdio } from '@tenon/mcp-server/stdio';
    const input = { type: 'object', properties: { city: { type: 'string' } } };
    await serveStdio(createServer({ name: 'a', version: '1' }).tool('plan', { input }, () => 'b'));`;
  expect(await filesLoadedBy(program)).toEqual([
    'foundation/dist/index.js',
    'foundation/dist/redaction.js',
    'json-schema/dist/index.js',
    'json-schema/dist/structure.js',
    'protocol/dist/internal.js',
    'server/dist/index.js',
    'server/dist/stdio.js',
    'session/dist/internal.js',
    'transport-stdio/dist/server.js',
  ]);
});
