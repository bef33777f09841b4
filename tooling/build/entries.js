import { readdir } from 'node:fs/promises';
import { join, sep } from 'node:path';

/**
 * @typedef {Record<string, string | Record<string, string>>} Targets
 * @typedef {{ exports?: Targets, imports?: Targets, bin?: Record<string, string>, dependencies?: Record<string, string>, devDependencies?: Record<string, string> }} Manifest a package.json
 */

/**
 * Returns the source files that a package publishes: the `tenon-source` targets of its `exports`, with patterns expanded, and the
 * sources of its programs and of all files that its `imports` choose from.
 *
 * @param {string} folder the package's folder
 * @param {Manifest} manifest its package.json
 * @returns {Promise<string[]>} paths relative to the folder, `./src/...`
 */
export async function entryPoints(folder, { exports = {}, imports = {}, bin = {} }) {
  const found = new Set([...chosenSources(imports), ...Object.values(bin).map(sourceOf)]);
  for (const target of Object.values(exports)) {
    const source = typeof target === 'string' ? undefined : target['tenon-source'];
    if (source === undefined) continue;
    for (const file of source.includes('*') ? await expand(folder, source) : [source]) found.add(file);
  }
  return [...found];
}

/**
 * Returns the entries that gather code, in the form of `gather`: the named ones, otherwise the `/internal` ones. A public entry
 * beside an internal one only exports names of the internal file.
 *
 * @param {string} folder the package's folder
 * @param {Manifest} manifest its package.json
 * @param {readonly string[]} named such as `./server`
 * @returns {string[][]} absolute paths
 */
export function groupsOf(folder, { exports = {} }, named) {
  /** @param {string} entry */
  const fileOf = (entry) => {
    const target = exports[entry];
    if (typeof target !== 'object') throw new Error(`The package in ${folder} has no entry ${entry}.`);
    return join(folder, target.default ?? '');
  };
  const chosen =
    named.length > 0 ? named : Object.keys(exports).filter((entry) => entry.endsWith('/internal'));
  return chosen.map((entry) => [...new Set([entry, entry.replace(/\/internal$/, '')])].map(fileOf));
}

/** @param {Targets} imports */
function chosenSources(imports) {
  const files = Object.values(imports).flatMap((target) =>
    typeof target === 'string'
      ? [target]
      : Object.entries(target)
          .filter(([condition]) => condition !== 'tenon-source')
          .map(([, file]) => file),
  );
  return files.map(sourceOf);
}

/** @param {string} file a file of `dist` */
function sourceOf(file) {
  return file.replace('./dist/', './src/').replace(/\.js$/, '.ts');
}

/**
 * @param {string} folder
 * @param {string} pattern such as `./src/*.ts`, where `*` may span folders
 */
async function expand(folder, pattern) {
  const [before = '', after = ''] = pattern.split('*');
  const names = await readdir(join(folder, before), { recursive: true });
  return names
    .map((name) => name.split(sep).join('/'))
    .filter((name) => name.endsWith(after) && !/\.test(-d)?\.ts$/.test(name))
    .sort()
    .map((name) => before + name);
}
