import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from './bundle.js';

const tsc = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url));

/**
 * Writes the code of a package to its folder `dist`.
 *
 * @param {string} folder
 * @param {readonly string[]} entries that gather code, see `groupsOf`
 * @returns {Promise<string[]>} the absolute paths of the files
 * @throws Error if the code is not ASCII
 */
export async function writeCode(folder, entries) {
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const files = await bundle(folder, manifest, entries);
  for (const { path, text } of files) {
    if (path.endsWith('.js')) requireAscii(path, text);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
  const paths = files.map(({ path }) => path);
  await removeStale(folder, new Set(paths));
  return paths;
}

/**
 * Writes the declarations of packages, and of the packages that they refer to.
 *
 * @param {readonly string[]} folders
 * @returns {number} the exit code of the compiler
 */
export function compile(folders) {
  return spawnSync(process.execPath, [tsc, '-b', ...folders], { stdio: 'inherit' }).status ?? 1;
}

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
    `${relative(process.cwd(), file)} is not ASCII, which makes it slower to load. Write an escape here: ${found}`,
  );
}

/**
 * Deletes files of earlier builds one by one, so that processes that read `dist` are not disturbed.
 *
 * @param {string} folder
 * @param {Set<string>} written absolute paths of this build's files
 */
async function removeStale(folder, written) {
  const dist = join(folder, 'dist');
  for (const name of await readdir(dist, { recursive: true })) {
    const file = join(dist, name);
    const isCode = /\.js(\.map)?$/.test(name);
    const isDeclaration = /\.d\.ts(\.map)?$/.test(name);
    const source = join(folder, 'src', relative(dist, file).replace(/\.d\.ts(\.map)?$/, '.ts'));
    if ((isCode && !written.has(file)) || (isDeclaration && !existsSync(source)))
      await rm(file, { force: true });
  }
}
