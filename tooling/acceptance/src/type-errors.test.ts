import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';

const files = ['client.test-d.ts', 'server.test-d.ts'];
const fixtures = fileURLToPath(new URL('../fixtures/type-errors', import.meta.url));
const cache = fileURLToPath(new URL('../node_modules/.cache', import.meta.url));

/** The `tsc` of the TypeScript version with this package name. */
function compiler(name: string): string {
  const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`);
  return join(dirname(manifest), 'bin', 'tsc');
}

/** Returns the first line of each compiler error in the fixtures, by file and line. */
async function errorsOf(tsc: string): Promise<readonly string[]> {
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, 'type-errors-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await cp(fixtures, folder, { recursive: true });
  const compilerOptions = {
    target: 'ES2022',
    lib: ['ES2022', 'ESNext.Disposable'],
    module: 'nodenext',
    types: ['node'],
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: true,
    noEmit: true,
  };
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  const run = promisify(execFile)(process.execPath, [tsc, '-p', folder, '--pretty', 'false'], {
    cwd: folder,
  });
  const { stdout } = await run.catch((error: { stdout: string }) => error);
  const lines = stdout.split('\n').filter((line) => /^\S/.test(line));
  return lines.map((line) => line.replace(/^(\S+\(\d+),\d+\)/, '$1)'));
}

/** Returns the expected errors from the comments of the fixtures. */
async function expected(): Promise<readonly string[]> {
  const found: string[] = [];
  for (const file of files) {
    const lines = (await readFile(join(fixtures, file), 'utf8')).split('\n');
    for (const [index, line] of lines.entries())
      if (line.startsWith('// error ')) found.push(`${file}(${index + 2}): ${line.slice('// '.length)}`);
  }
  return found;
}

// The oldest and the newest supported compiler.
test.each([
  ['5.9', 'typescript-5.9'],
  ['7', 'typescript'],
])('the first line of each error of TypeScript %s names the problem', async (version, name) => {
  const tsc = compiler(name);
  const { stdout } = await promisify(execFile)(process.execPath, [tsc, '--version']);
  expect(stdout).toMatch(new RegExp(`^Version ${version.replace('.', '\\.')}\\.`));
  expect(await errorsOf(tsc)).toEqual(await expected());
});
