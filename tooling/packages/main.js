// Checks what a user would install: the tarballs of all public packages, linted, then used in a folder outside.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { newestNode, pnpm } from './commands.js';
import { checkExtension } from './extension.js';
import { checkOutside } from './outside.js';
import { lintTarball } from './tarball.js';

/** @typedef {{ name: string, folder: string, tarball: string, exports: Record<string, unknown> }} Pack */

const here = fileURLToPath(new URL('.', import.meta.url));
const root = fileURLToPath(new URL('../..', import.meta.url));
const work = mkdtempSync(join(tmpdir(), 'tenon-packages-'));
/** @type {string[]} */
const problems = [];

try {
  const packs = pack();
  for (const { name, folder, tarball } of packs) {
    problems.push(...checkReadme(name, folder), ...lintTarball(name, tarball));
  }
  const newest = newestNode(here);
  problems.push(...checkOutside({ root, folder: join(work, 'outside'), packs, newest }));
  problems.push(...checkExtension({ root, folder: join(work, 'extension'), packs, newest }));
} finally {
  rmSync(work, { recursive: true, force: true });
}
for (const problem of problems) console.error(`- ${problem}`);
console.log(problems.length === 0 ? 'packages: no problems' : `packages: ${problems.length} problems`);
process.exitCode = problems.length === 0 ? 0 : 1;

/** @returns {Pack[]} */
function pack() {
  const tarballs = join(work, 'tarballs');
  mkdirSync(tarballs);
  const found = [];
  for (const directory of readdirSync(join(root, 'packages')).sort()) {
    const folder = join(root, 'packages', directory);
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    if (manifest.private) continue;
    const before = new Set(readdirSync(tarballs));
    pnpm(['pack', '--pack-destination', tarballs], folder);
    const file = /** @type {string} */ (readdirSync(tarballs).find((name) => !before.has(name)));
    found.push({ name: manifest.name, folder, tarball: join(tarballs, file), exports: usable(manifest) });
  }
  return found;
}

/**
 * The entries that work without optional peers: an entry of a peer's name, such as `./vitest`, is for those who have it.
 *
 * @param {{ exports: Record<string, unknown>, peerDependenciesMeta?: Record<string, { optional?: boolean }> }} manifest
 */
function usable({ exports, peerDependenciesMeta = {} }) {
  return Object.fromEntries(
    Object.entries(exports).filter(([entry]) => peerDependenciesMeta[entry.slice(2)]?.optional !== true),
  );
}

/**
 * @param {string} name
 * @param {string} folder
 */
function checkReadme(name, folder) {
  if (!readdirSync(folder).includes('README.md')) return [`${name}: README.md is missing`];
  const lines = readFileSync(join(folder, 'README.md'), 'utf8').split('\n').length;
  return lines >= 200 ? [`${name}: README.md has ${lines} lines; it must have fewer than 200`] : [];
}
