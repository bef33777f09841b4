import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';

const program = fileURLToPath(new URL('../../../../packages/cli/dist/main.js', import.meta.url));
const server = fileURLToPath(new URL('../../../../apps/everything-server/dist/main.js', import.meta.url));

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tenon-loaded-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Runs `tenon` in an empty home folder, and returns the files that V8 ran in its process. */
async function filesLoadedBy(words: readonly string[]): Promise<string> {
  const coverage = join(folder, 'coverage');
  const env = { ...process.env, HOME: folder, USERPROFILE: folder, NODE_V8_COVERAGE: coverage };
  await promisify(execFile)(process.execPath, [program, ...words], { cwd: folder, env });
  const files = await readdir(coverage);
  const texts = await Promise.all(files.map((name) => readFile(join(coverage, name), 'utf8')));
  // The server is started by the same variables.
  return texts.find((text) => text.includes('/packages/cli/dist/main.js')) ?? '';
}

it('loads no code for configuration files and authorization when the server is a command', async () => {
  const files = await filesLoadedBy(['list', '--', process.execPath, server, '--stdio']);
  expect(files).toContain('/packages/client/dist/');
  expect(files).not.toMatch(/\/packages\/auth\/|\/packages\/config\/|jsonc-parser|smol-toml|@clack/);
});

it('loads neither the client nor configuration files for --help', async () => {
  const files = await filesLoadedBy(['--help']);
  expect(files).not.toMatch(/\/packages\/(?:auth|client)\/|jsonc-parser|smol-toml|@clack/);
});
