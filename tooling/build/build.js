// Builds the package in the current folder: one ESM file per entry of `exports`, code that entries share in chunk
// files, dependencies left as imports; then the declarations.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { entryPoints } from './entries.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = process.cwd();
const dist = join(folder, 'dist');
const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));

await mkdir(dist, { recursive: true });
const result = await build({
  absWorkingDir: folder,
  entryPoints: await entryPoints(folder, manifest),
  outdir: dist,
  outbase: join(folder, 'src'),
  chunkNames: 'chunk-[hash]',
  bundle: true,
  splitting: true,
  packages: 'external',
  // Whoever runs or bundles the package chooses among these by conditions.
  external: ['#*'],
  platform: 'node',
  format: 'esm',
  target: 'es2022',
  sourcemap: 'linked',
  sourcesContent: false,
  keepNames: false,
  // One character beyond Latin-1 makes an engine keep, and scan, the whole file at two bytes a character.
  charset: 'ascii',
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
});
const written = Object.keys(result.metafile.outputs).map((file) => resolve(folder, file));
await removeStale(new Set(written));
for (const file of written.filter((name) => name.endsWith('.js'))) await finish(file);
const tsc = join(root, 'node_modules/typescript/bin/tsc');
process.exitCode = spawnSync(process.execPath, [tsc, '-b', folder], { stdio: 'inherit' }).status ?? 1;

/**
 * Removes imports of chunks for nothing but their side effects: they have none, and bundlers warn of them. Sees to
 * what `charset` leaves as it is: the text of regular expressions.
 *
 * @param {string} file
 */
async function finish(file) {
  const text = await readFile(file, 'utf8');
  // The line stays, so that the source map stays right.
  const code = text.replaceAll(/^import "\.[^"]*chunk-\w+\.js";$/gm, '');
  if (code !== text) await writeFile(file, code);
  const [found] = /.{0,60}[^ -~\t\r\n].{0,20}/.exec(code) ?? [];
  if (found === undefined) return;
  throw new Error(
    `${relative(folder, file)} is not ASCII, which makes it slower to load. Write an escape here: ${found}`,
  );
}

/**
 * Deletes what an earlier build left behind, file by file, so that a process reading `dist` meanwhile is not disturbed.
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
