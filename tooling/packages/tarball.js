import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from './commands.js';

const modules = fileURLToPath(new URL('node_modules', import.meta.url));

/** @typedef {import('./pack.js').Pack} Pack */

/**
 * Checks a tarball with publint.
 *
 * @param {Pack} pack
 */
export async function publint({ tarball }) {
  const program = join(modules, 'publint/src/cli.js');
  const { ok, output } = await run(process.execPath, [program, tarball, '--strict'], { cwd: modules });
  if (!ok) throw new Error(output);
  return '';
}

/**
 * Checks the types of a tarball with are-the-types-wrong, as an ES module.
 *
 * @param {Pack} pack
 */
export async function typesOf({ tarball, entries }) {
  if (entries.length === 0) return 'it has no library';
  const program = join(modules, '@arethetypeswrong/cli/dist/index.js');
  const options = ['--profile', 'esm-only', '--no-definitely-typed', '--no-emoji', '--no-color'];
  const { ok, output } = await run(process.execPath, [program, tarball, ...options], { cwd: modules });
  if (!ok) throw new Error(output);
  return '';
}

/**
 * Unpacks a tarball and returns what must not be in it, or is missing.
 *
 * @param {Pack} pack
 * @param {{ root: string, folder: string }} options the folder to unpack in
 * @returns {Promise<string[]>} problems
 */
export async function unpackedProblems({ files, tarball, folders }, { root, folder }) {
  mkdirSync(folder, { recursive: true });
  const { ok, output } = await run('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1'], {
    cwd: root,
  });
  if (!ok) return [output];
  const text = (/** @type {string} */ file) => readFileSync(join(folder, file), 'utf8');
  const problems = listProblems(files, folders);
  if (files.includes('LICENSE') && text('LICENSE') !== readFileSync(join(root, 'LICENSE'), 'utf8'))
    problems.push('LICENSE differs from the one of the repository');
  if (files.includes('README.md')) {
    const lines = text('README.md').split('\n').length;
    if (lines >= 200) problems.push(`README.md has ${lines} lines; it must have fewer than 200`);
  }
  if (text('package.json').includes('workspace:')) problems.push('package.json has a "workspace:" range');
  for (const map of files.filter((file) => file.endsWith('.js.map'))) {
    const foreign = foreignSources(map, JSON.parse(text(map)).sources);
    if (foreign.length > 0) problems.push(`${map} has code of others: ${foreign.join(', ')}`);
  }
  return problems;
}

const mandatory = ['LICENSE', 'README.md', 'CHANGELOG.md', 'package.json'];

/**
 * Returns the files that a tarball lacks, and those that must not be published.
 *
 * @param {string[]} files paths in the tarball
 * @param {string[]} [folders] published beside `dist` and `src`: whole projects, so that they may have tests
 * @returns {string[]} problems
 */
export function listProblems(files, folders = []) {
  const missing = mandatory.filter((file) => !files.includes(file));
  const own = files.filter((file) => !folders.some((folder) => file.startsWith(`${folder}/`)));
  const stray = own.filter(
    (file) =>
      /\.test(-d)?\.|\.tsbuildinfo$/.test(file) || !(/^(dist|src)\//.test(file) || mandatory.includes(file)),
  );
  return [
    ...missing.map((file) => `${file} is missing`),
    ...stray.map((file) => `${file} must not be published`),
  ];
}

/**
 * Returns the sources of a built file that are outside the package: code of others, which would need a notice. Files in `dist` are
 * steps of the build, and `tenon` contains the workbench, which is not published.
 *
 * @param {string} map path of the source map in the tarball
 * @param {string[]} sources as the source map has them
 */
export function foreignSources(map, sources) {
  return sources.filter((source) => {
    const path = posix.join(dirname(map), source);
    return path.includes('node_modules/') || !/^(src|dist|\.\.\/workbench\/src)\//.test(path);
  });
}
