import { readdirSync, readFileSync } from 'node:fs';
import { documents } from '../rows/row.js';

const folders = ['packages', 'apps', 'examples', 'tooling'];
const elsewhere = new Set(['node_modules', 'dist', 'fixtures']);
/** The import of a file that says which requirements its tests show. */
const says = /^(?:import|\}).* from '[./]+\/(?:tooling\/)?(?:suite\/shows|requirement)\.js';$/m;
const ids = new RegExp(`'((?:${documents.join('|')})/[a-z0-9/-]+)'`, 'g');

/**
 * Finds the test files that name requirements, and the ids they name, without running them.
 *
 * @param {string} root of the repository, ending in a slash
 * @returns {Map<string, ReadonlySet<string>>} ids by the file's path from the root
 */
export function namedIds(root) {
  /** @type {Map<string, ReadonlySet<string>>} */
  const named = new Map();
  for (const file of folders.flatMap((folder) => testFiles(root, folder))) {
    const text = readFileSync(root + file, 'utf8');
    if (says.test(text)) named.set(file, new Set([...text.matchAll(ids)].map(([, id]) => id ?? '')));
  }
  return named;
}

/**
 * @param {string} root
 * @param {string} folder
 * @returns {string[]}
 */
function testFiles(root, folder) {
  return readdirSync(root + folder, { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return elsewhere.has(entry.name) ? [] : testFiles(root, path);
    return /\.test\.[jt]s$/.test(entry.name) ? [path] : [];
  });
}
