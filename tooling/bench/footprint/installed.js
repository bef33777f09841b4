import { existsSync, realpathSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/**
 * The parts of a package.json that matter here.
 *
 * @typedef {object} Manifest
 * @property {string} name
 * @property {string} version
 * @property {Record<string, string>} [dependencies]
 * @property {Record<string, string>} [optionalDependencies]
 * @property {Record<string, string>} [peerDependencies]
 * @property {Record<string, { optional?: boolean }>} [peerDependenciesMeta]
 */

/**
 * Returns the packages that an install of the named packages brings: their dependencies, required peers, and so on.
 *
 * @param {readonly string[]} names
 * @param {string} folder of the `node_modules` they are installed in
 * @returns {Promise<Set<string>>} `name@version`, each once
 * @throws Error if a package is not installed
 */
export async function packagesOf(names, folder) {
  /** @type {Set<string>} */
  const found = new Set();
  /** @type {[names: readonly string[], from: string][]} */
  const open = [[names, folder]];
  for (const [wanted, from] of open) {
    for (const name of wanted) {
      const place = placeOf(name, from);
      if (place === undefined) throw new Error(`${name} is not installed for ${from}`);
      const manifest = await manifestAt(place);
      const id = `${manifest.name}@${manifest.version}`;
      if (found.has(id)) continue;
      found.add(id);
      open.push([needs(manifest, place), place]);
    }
  }
  return found;
}

/**
 * @param {Manifest} manifest
 * @param {string} place
 */
function needs(manifest, place) {
  const {
    dependencies = {},
    optionalDependencies = {},
    peerDependencies = {},
    peerDependenciesMeta = {},
  } = manifest;
  const isOptional = (/** @type {string} */ name) => name in optionalDependencies;
  const peers = Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional !== true);
  return [
    ...Object.keys(dependencies).filter((name) => !isOptional(name)),
    ...Object.keys(optionalDependencies).filter((name) => placeOf(name, place) !== undefined),
    ...peers,
  ];
}

/**
 * @param {string} name
 * @param {string} from
 * @returns {string | undefined} the folder that an import of the name resolves to
 */
function placeOf(name, from) {
  for (let folder = from; ; folder = dirname(folder)) {
    const place = join(folder, 'node_modules', name);
    if (existsSync(place)) return realpathSync(place);
    if (folder === dirname(folder)) return undefined;
  }
}

/**
 * @param {string} folder
 * @returns {Promise<Manifest>}
 */
async function manifestAt(folder) {
  return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
}
