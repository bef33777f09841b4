import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { programs, variable } from './programs.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** Static imports at the start of a line, and dynamic ones. */
const relativeImport = /(?:^(?:import|export)(?! type\b)[^'";]*|\bawait import\()'(\.[^']+)'/gm;
const folders = ['packages', 'apps', 'examples', 'tooling'];

/** True in continuous integration, where tests fail when a program that they need is not installed. Elsewhere they are left out. */
export const isStrict = !['', '0', 'false'].includes(variable('CI'));

/**
 * The test files that need a program which is not installed.
 *
 * @typedef {object} Unable
 * @property {string} program the name of the program
 * @property {string} install the command that installs it on Debian
 * @property {readonly string[]} files relative to the root, sorted
 */

/**
 * Returns the test files that need a program which is not installed, by program: the files that import the module that starts the
 * program, directly or through others.
 *
 * @returns {readonly Unable[]}
 */
export function unableFiles() {
  const missing = Object.values(programs).filter(({ find }) => find() === undefined);
  if (missing.length === 0) return [];
  const importers = importersByFile(sourceFiles());
  return missing.map(({ name, install, module }) => ({
    program: name,
    install,
    files: testsThatReach(module, importers),
  }));
}

/**
 * Returns the test files that need one of these programs, installed or not.
 *
 * @param {readonly (keyof typeof programs)[]} keys
 */
export function filesThatNeed(keys) {
  const importers = importersByFile(sourceFiles());
  return keys.flatMap((key) => testsThatReach(programs[key].module, importers));
}

/**
 * @param {string} module
 * @param {ReadonlyMap<string, ReadonlySet<string>>} importers
 */
function testsThatReach(module, importers) {
  const found = new Set([module]);
  // The loop visits the files that it adds.
  for (const file of found) for (const importer of importers.get(file) ?? []) found.add(importer);
  return [...found].filter((file) => /\.test\.[jt]s$/.test(file)).sort();
}

/** The paths of all source files, relative to the root, with forward slashes. */
function* sourceFiles() {
  const waiting = [...folders];
  for (const folder of waiting) {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = posix.join(folder, entry.name);
      if (entry.isDirectory() && !['node_modules', 'dist'].includes(entry.name)) waiting.push(path);
      if (entry.isFile() && /\.[jt]s$/.test(entry.name)) yield path;
    }
  }
}

/**
 * Returns the files that import each file, by its path. Imports of types do not count.
 *
 * @param {Iterable<string>} files
 */
function importersByFile(files) {
  /** @type {Map<string, Set<string>>} */
  const importers = new Map();
  for (const file of files) {
    for (const [, specifier = ''] of readFileSync(join(root, file), 'utf8').matchAll(relativeImport)) {
      const path = posix.join(posix.dirname(file), specifier);
      const target = existsSync(join(root, path)) ? path : path.replace(/\.js$/, '.ts');
      importers.set(target, (importers.get(target) ?? new Set()).add(file));
    }
  }
  return importers;
}
