import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const execute = promisify(execFile);
const root = fileURLToPath(new URL('../../..', import.meta.url));

/**
 * Installs packages in a folder outside the workspace, in the versions of this bench.
 *
 * @param {readonly string[]} names
 * @param {string} bench the folder of the package.json with the versions
 * @returns {Promise<number>} the number of packages that npm installed
 * @throws Error with npm's output if it fails
 */
export async function countAfterInstall(names, bench) {
  const { dependencies } = await jsonAt(join(bench, 'package.json'));
  const wanted = Object.fromEntries(names.map((name) => [name, dependencies[name]]));
  return inFolder((folder) => npmInstall(folder, { dependencies: wanted }));
}

/**
 * Packs this workspace and installs the server in a folder outside, like a user from a registry.
 *
 * @returns {Promise<number>} the number of packages that npm installed
 * @throws Error with the output of pnpm or npm if they fail
 */
export function countTenonAfterInstall() {
  return inFolder(async (folder) => {
    const { '@tenon/mcp-server': server, ...overrides } = await packWorkspace(join(folder, 'tarballs'));
    return npmInstall(folder, { dependencies: { '@tenon/mcp-server': server }, overrides });
  });
}

/**
 * @param {string} folder
 * @returns {Promise<Record<string, string>>} tarballs by package name
 */
async function packWorkspace(folder) {
  /** @type {Record<string, string>} */
  const tarballs = {};
  for (const name of await readdir(join(root, 'packages'))) {
    const from = join(root, 'packages', name);
    const manifest = await jsonAt(join(from, 'package.json'));
    if (manifest.private) continue;
    const to = join(folder, name);
    const [command, ...args] = pnpm();
    await execute(command, [...args, 'pack', '--pack-destination', to], { cwd: from });
    const [file = ''] = await readdir(to);
    tarballs[manifest.name] = `file:${join(to, file)}`;
  }
  return tarballs;
}

/** @returns {[string, ...string[]]} the pnpm that runs this program, or the installed one */
function pnpm() {
  const own = process.env.npm_execpath ?? '';
  return /pnpm[^/\\]*\.c?js$/.test(own) ? [process.execPath, own] : ['pnpm'];
}

/**
 * @template T
 * @param {(folder: string) => Promise<T>} work
 * @returns {Promise<T>}
 */
async function inFolder(work) {
  const folder = await mkdtemp(join(tmpdir(), 'tenon-install-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * @param {string} folder
 * @param {object} manifest
 */
async function npmInstall(folder, manifest) {
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, ...manifest }));
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];
  await execute('npm', ['install', ...flags], { cwd: folder, timeout: 300_000 });
  const { packages } = await jsonAt(join(folder, 'node_modules/.package-lock.json'));
  return Object.keys(packages).length;
}

/**
 * A package.json or lock file, as far as it is read here.
 *
 * @typedef {object} Manifest
 * @property {string} name
 * @property {string} version
 * @property {boolean} [private]
 * @property {Record<string, string>} dependencies
 * @property {Record<string, unknown>} packages
 */

/**
 * @param {string} path
 * @returns {Promise<Manifest>}
 */
async function jsonAt(path) {
  return JSON.parse(await readFile(path, 'utf8'));
}
