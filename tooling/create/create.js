import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tarballsOf } from '../packages/outside.js';
import { succeed } from './tools.js';

/** @typedef {import('../packages/pack.js').Pack} Pack */

/**
 * Creates a project in an empty folder, with the program in its tarball.
 *
 * @param {import('./projects.js').Planned} planned
 * @param {{ folder: string, packs: Pack[], env: Record<string, string> }} options the folder to create it in
 * @returns {Promise<string>} the path of the project
 */
export async function create({ name, words }, { folder, packs, env }) {
  const program = tarballsOf(packs)['create-tenon'];
  const npm = ['npm', 'exec', '--yes', '--prefer-offline', `--package=${program}`, '--', 'create-tenon'];
  const printed = await succeed([...npm, name, ...words, '--yes', '--no-install', '--json'], {
    cwd: folder,
    env,
  });
  const { next } = JSON.parse(printed);
  const expected = [`cd ${name}`, 'npm install', 'npm run dev'];
  if (JSON.stringify(next) !== JSON.stringify(expected)) throw new Error(`next is ${JSON.stringify(next)}`);
  return join(folder, name);
}

/**
 * Replaces the version ranges of Tenon's packages by their tarballs.
 *
 * @param {string} project
 * @param {Pack[]} packs
 * @throws Error if the project asks for another version than that of the tarballs
 */
export function useTarballs(project, packs) {
  const file = join(project, 'package.json');
  const manifest = JSON.parse(readFileSync(file, 'utf8'));
  const tarballs = tarballsOf(packs);
  for (const field of ['dependencies', 'devDependencies']) {
    for (const [name, range] of Object.entries(manifest[field] ?? {})) {
      const found = packs.find((pack) => pack.name === name);
      if (found === undefined) continue;
      if (range !== `^${found.manifest.version}`)
        throw new Error(`${name} is ${range}, but ${found.manifest.version} is packed`);
      manifest[field][name] = tarballs[name];
    }
  }
  const direct = { ...manifest.dependencies, ...manifest.devDependencies };
  // The packages' dependencies on each other must come from the tarballs as well.
  manifest.overrides = Object.fromEntries(
    packs.map(({ name }) => [name, name in direct ? `$${name}` : tarballs[name]]),
  );
  writeFileSync(file, `${JSON.stringify(manifest, undefined, 2)}\n`);
}
