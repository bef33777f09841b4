import { readdir } from 'node:fs/promises';
import { join, sep } from 'node:path';

/**
 * The source files a package publishes: the `tenon-source` targets of its `exports`, patterns expanded.
 *
 * @param {string} folder the package's folder
 * @param {Record<string, string | Record<string, string>>} exports the `exports` of its package.json
 * @returns {Promise<string[]>} paths relative to the folder, `./src/...`
 */
export async function entryPoints(folder, exports) {
  const found = [];
  for (const target of Object.values(exports ?? {})) {
    const source = typeof target === 'string' ? undefined : target['tenon-source'];
    if (source === undefined) continue;
    found.push(...(source.includes('*') ? await expand(folder, source) : [source]));
  }
  return found;
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
