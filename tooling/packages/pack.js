import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { pnpm } from './commands.js';

/**
 * @typedef {object} Pack
 * @property {string} name of the package
 * @property {string} folder of its sources
 * @property {string} directory relative to the root
 * @property {Record<string, unknown>} manifest its package.json, as in the repository
 * @property {string} tarball path
 * @property {string[]} files paths in the tarball
 * @property {string[]} entries names that programs without optional peer packages can import
 * @property {string[]} folders that are published beside `dist` and `src`
 * @property {string[]} bins files of the package that are commands, such as `dist/main.js`
 */

/** @type {Readonly<Record<string, string[]>>} the folders that packages publish beside `dist` and `src` */
const furtherFolders = { 'create-tenon': ['templates'] };

/**
 * Packs all public packages.
 *
 * @param {string} root of the workspace
 * @param {string} folder for the tarballs
 * @returns {Promise<Pack[]>} sorted by folder
 */
export async function pack(root, folder) {
  mkdirSync(folder, { recursive: true });
  const args = ['-r', '--filter', './packages/*', 'pack', '--json', '--pack-destination', folder];
  const { ok, output, stdout } = await pnpm(args, root);
  if (!ok) throw new Error(`pnpm ${args.join(' ')}\n${output}`);
  /** @type {{ name: string, filename: string, files: { path: string }[] }[]} */
  const packed = JSON.parse(stdout);
  return readdirSync(join(root, 'packages'))
    .sort()
    .flatMap((name) => {
      const directory = `packages/${name}`;
      const source = join(root, directory);
      const manifest = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'));
      const found = packed.find((one) => one.name === manifest.name);
      if (found === undefined || manifest.private === true) return [];
      return {
        name: manifest.name,
        folder: source,
        directory,
        manifest,
        tarball: found.filename,
        files: found.files.map(({ path }) => path),
        entries: entriesOf(manifest, source),
        folders: furtherFolders[manifest.name] ?? [],
        bins: Object.values(manifest.bin ?? {}).map((file) => posix.normalize(String(file))),
      };
    });
}

/**
 * Leaves out entries that import an optional peer package, such as `./vitest` of the package for tests.
 *
 * @param {{ name: string, exports: Record<string, { default?: string } | string>, peerDependenciesMeta?: Record<string, { optional?: boolean }> }} manifest
 * @param {string} folder of the package
 */
function entriesOf({ name, exports, peerDependenciesMeta = {} }, folder) {
  const optional = Object.keys(peerDependenciesMeta).filter(
    (peer) => peerDependenciesMeta[peer]?.optional === true,
  );
  return Object.entries(exports)
    .filter(([, target]) => {
      if (typeof target === 'string') return false;
      const code = readFileSync(join(folder, target.default ?? ''), 'utf8');
      return !optional.some((peer) => imports(code, peer));
    })
    .map(([subpath]) => name + subpath.slice(1));
}

/**
 * @param {string} code
 * @param {string} name of a package
 * @returns {boolean} true if the code imports an entry of the package
 */
function imports(code, name) {
  return [`"${name}"`, `'${name}'`, `"${name}/`, `'${name}/`].some((from) => code.includes(`from ${from}`));
}
