import { readdir } from 'node:fs/promises';
import { join, sep } from 'node:path';

/** @typedef {Record<string, string | Record<string, string>>} Targets */

/**
 * The source files a package publishes: the `tenon-source` targets of its `exports`, patterns expanded, and the sources
 * of all files that its `imports` choose from.
 *
 * @param {string} folder the package's folder
 * @param {{ exports?: Targets, imports?: Targets }} manifest its package.json
 * @returns {Promise<string[]>} paths relative to the folder, `./src/...`
 */
export async function entryPoints(folder, { exports = {}, imports = {} }) {
  const found = new Set(chosenSources(imports));
  for (const target of Object.values(exports)) {
    const source = typeof target === 'string' ? undefined : target['tenon-source'];
    if (source === undefined) continue;
    for (const file of source.includes('*') ? await expand(folder, source) : [source]) found.add(file);
  }
  return [...found];
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
  return files.map((file) => file.replace('./dist/', './src/').replace(/\.js$/, '.ts'));
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
