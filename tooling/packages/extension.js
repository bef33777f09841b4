import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tarballsOf } from './outside.js';

/**
 * Writes the project of the example extension, with the tarballs as dependencies.
 *
 * @param {{ root: string, folder: string, packs: import('./pack.js').Pack[] }} options
 * @returns {import('./outside.js').Project}
 */
export function writeExtension({ root, folder, packs }) {
  const from = join(root, 'examples/outside-extension');
  mkdirSync(folder, { recursive: true });
  for (const part of ['tsconfig.json', 'src'])
    cpSync(join(from, part), join(folder, part), { recursive: true });
  const manifest = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8'));
  const tarballs = tarballsOf(packs);
  for (const name of Object.keys(manifest.dependencies)) {
    manifest.dependencies[name] = tarballs[name] ?? manifest.dependencies[name];
  }
  // The packages' dependencies on each other must come from the tarballs as well.
  manifest.overrides = Object.fromEntries(
    packs.map(({ name, tarball }) => [name, name in manifest.dependencies ? `$${name}` : `file:${tarball}`]),
  );
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  return { name: 'extension', folder, programs: ['check'], commands: [], fetchPrograms: [] };
}
