import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compile, install, runOnEach, tarballsOf } from './outside.js';

/**
 * Installs the example of an extension in a package of its own against the tarballs alone, compiles it, and runs the program
 * that uses it on this Node and on the newest.
 *
 * @param {{ root: string, folder: string, packs: import('./main.js').Pack[], newest: string | undefined }} options
 * @returns {string[]} problems
 */
export function checkExtension({ root, folder, packs, newest }) {
  const from = join(root, 'examples/outside-extension');
  mkdirSync(folder, { recursive: true });
  for (const part of ['tsconfig.json', 'src'])
    cpSync(join(from, part), join(folder, part), { recursive: true });
  const manifest = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8'));
  const tarballs = tarballsOf(packs);
  for (const name of Object.keys(manifest.dependencies)) {
    manifest.dependencies[name] = tarballs[name] ?? manifest.dependencies[name];
  }
  // What the packages need of each other comes from the tarballs too.
  manifest.overrides = Object.fromEntries(
    packs.map(({ name, tarball }) => [name, name in manifest.dependencies ? `$${name}` : `file:${tarball}`]),
  );
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  const failed = install('outside extension', folder) ?? compile('outside extension', folder);
  if (failed !== undefined) return [failed];
  return runOnEach('outside extension', ['check'], { folder, newest });
}
