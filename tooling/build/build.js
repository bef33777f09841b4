// Builds the package in the current folder, then its declarations: `node build.js [ENTRY...]`. The file of each named entry,
// such as `./server`, contains the code that it loads at start, except code that another named entry loads too. Without names,
// this applies to the `/internal` entries.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from './bundle.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = process.cwd();
const dist = join(folder, 'dist');
const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));

const files = await bundle(folder, manifest, process.argv.slice(2));
for (const { path, text } of files) {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
  if (path.endsWith('.js')) requireAscii(path, text);
}
await removeStale(new Set(files.map(({ path }) => path)));
const tsc = join(root, 'node_modules/typescript/bin/tsc');
process.exitCode = spawnSync(process.execPath, [tsc, '-b', folder], { stdio: 'inherit' }).status ?? 1;

/**
 * Throws for text that `charset` does not escape: regular expressions.
 *
 * @param {string} file
 * @param {string} code
 */
function requireAscii(file, code) {
  const [found] = /.{0,60}[^ -~\t\r\n].{0,20}/.exec(code) ?? [];
  if (found === undefined) return;
  throw new Error(
    `${relative(folder, file)} is not ASCII, which makes it slower to load. Write an escape here: ${found}`,
  );
}

/**
 * Deletes files of earlier builds one by one, so that processes that read `dist` are not disturbed.
 *
 * @param {Set<string>} written absolute paths of this build's files
 */
async function removeStale(written) {
  for (const name of await readdir(dist, { recursive: true })) {
    const file = join(dist, name);
    const isCode = /\.js(\.map)?$/.test(name);
    const isDeclaration = /\.d\.ts(\.map)?$/.test(name);
    const source = join(folder, 'src', relative(dist, file).replace(/\.d\.ts(\.map)?$/, '.ts'));
    if ((isCode && !written.has(file)) || (isDeclaration && !existsSync(source)))
      await rm(file, { force: true });
  }
}
