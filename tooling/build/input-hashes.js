import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '../..');

/**
 * Returns a hash of everything that the code of each package depends on: its sources, the manifests of all packages, and the build.
 *
 * @param {readonly string[]} folders of all packages
 * @returns {Promise<(folder: string) => Promise<string>>}
 */
export async function inputHashes(folders) {
  const build = (await readdir(here)).filter((name) => name.endsWith('.js') && !name.endsWith('.test.js'));
  const common = [
    ...build.sort().map((name) => join(here, name)),
    ...['pnpm-lock.yaml', 'tsconfig.base.json', 'tsconfig.package.json'].map((name) => join(root, name)),
    ...folders.map((folder) => join(folder, 'package.json')),
  ];
  const start = await hashOf(common);
  return async (folder) => {
    const names = await readdir(join(folder, 'src'), { recursive: true, withFileTypes: true });
    const sources = names
      .filter((entry) => entry.isFile() && !/\.test(-d)?\.ts$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name));
    return hashOf([...sources.sort(), join(folder, 'tsconfig.json')], start);
  };
}

/**
 * @param {readonly string[]} files
 * @param {string} [start]
 */
async function hashOf(files, start = '') {
  const hash = createHash('sha256').update(start);
  const texts = await Promise.all(files.map((file) => readFile(file)));
  for (const [index, text] of texts.entries()) hash.update(`\n${files[index]} ${text.length}\n`).update(text);
  return hash.digest('hex');
}
