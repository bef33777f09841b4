import { readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Returns an esbuild plugin: imports from another package of Tenon use its `/internal` entry if that package has one. The file of
 * that entry contains all code of the public entry too, so one file is loaded instead of two. The code of a private package of the
 * `devDependencies` becomes a part of this package.
 *
 * @param {string} folder of the package that is built
 * @param {import('./entries.js').Manifest} manifest its package.json
 * @returns {import('esbuild').Plugin}
 */
export function internalImports(folder, { dependencies = {}, devDependencies = {} }) {
  /** @type {Map<string, { private?: boolean, exports: Record<string, Record<string, string>> }>} by package name */
  const known = new Map();
  const manifestOf = (/** @type {string} */ name) => {
    const file = join(folder, 'node_modules', name, 'package.json');
    const found = known.get(name) ?? JSON.parse(readFileSync(file, 'utf8'));
    known.set(name, found);
    return found;
  };
  return {
    name: 'internal-imports',
    setup({ onResolve }) {
      onResolve({ filter: /^@tenon\// }, ({ path, importer }) => {
        const [, name = '', subpath = ''] = /^(@[^/]+\/[^/]+)(.*)$/.exec(path) ?? [];
        const isInternal = subpath.endsWith('/internal');
        if (devDependencies[name] !== undefined && manifestOf(name).private === true) {
          const source = manifestOf(name).exports[`.${subpath}`]['tenon-source'];
          return { path: join(realpathSync(join(folder, 'node_modules', name)), source) };
        }
        // Internal names are the same only in the same version.
        if (dependencies[name] !== 'workspace:*') {
          if (!isInternal) return undefined;
          return { errors: [{ text: `${importer} imports ${path}: depend on ${name} as "workspace:*".` }] };
        }
        if (isInternal || manifestOf(name).exports[`.${subpath}/internal`] === undefined) return undefined;
        return { path: `${path}/internal`, external: true };
      });
    },
  };
}
