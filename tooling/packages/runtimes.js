import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from './commands.js';

const here = fileURLToPath(new URL('.', import.meta.url));

/**
 * @typedef {object} Runtime
 * @property {string} name as in `--only`
 * @property {string} title
 * @property {() => string | undefined} find returns the path of the program; undefined if it is not installed
 * @property {string[]} args that come before the file to run
 */

/** @type {readonly Runtime[]} */
export const runtimes = [
  { name: 'node', title: 'Node', find: () => process.execPath, args: [] },
  { name: 'lts', title: 'Node, newest LTS', find: newestNode, args: [] },
  { name: 'bun', title: 'Bun', find: () => binaryOf('bun', ['bin/bun', 'bin/bun.exe']), args: [] },
  {
    name: 'deno',
    title: 'Deno',
    find: () => binaryOf('deno', ['deno', 'deno.exe']),
    args: ['run', '--allow-all', '--no-prompt'],
  },
];

/**
 * @param {string | undefined} only names, separated by commas; undefined for all
 * @throws RangeError for an unknown name
 */
export function chosenRuntimes(only) {
  if (only === undefined) return runtimes;
  const names = only.split(',');
  const known = runtimes.map(({ name }) => name);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new RangeError(`--only ${unknown}: there are ${known.join(', ')}.`);
  return runtimes.filter(({ name }) => names.includes(name));
}

/**
 * @param {Runtime} runtime
 * @returns {Promise<{ program: string, version: string }>}
 * @throws Error if the runtime is not installed, or does not start
 */
export async function startable({ name, title, find }) {
  const program = find();
  if (program === undefined)
    throw new Error(
      `${title} is not installed for ${process.platform}-${process.arch}: run "pnpm install:tool tooling/packages", or leave it out with --only. (${name})`,
    );
  const { ok, output } = await run(program, ['--version'], { cwd: here, timeout: 60_000 });
  if (!ok) throw new Error(`${program} --version\n${output}`);
  return { program, version: output.trim().split('\n')[0] ?? '' };
}

function newestNode() {
  const path = join(here, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin', 'node');
  return existsSync(path) ? path : undefined;
}

/**
 * Returns the binary in the optional dependency of a package that was installed for this platform.
 *
 * @param {string} name of the package
 * @param {string[]} paths of the binary in the dependency, one for each operating system
 */
function binaryOf(name, paths) {
  const manifest = join(here, 'node_modules', name, 'package.json');
  if (!existsSync(manifest)) return undefined;
  // pnpm installs the dependency beside the target of the link.
  const require = createRequire(realpathSync(manifest));
  const { optionalDependencies = {} } = JSON.parse(readFileSync(manifest, 'utf8'));
  return Object.keys(optionalDependencies)
    .flatMap((dependency) => require.resolve.paths(dependency)?.map((base) => join(base, dependency)) ?? [])
    .flatMap((folder) => paths.map((path) => join(folder, path)))
    .find((path) => existsSync(path));
}
