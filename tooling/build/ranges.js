import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Returns the version ranges that programs outside of the workspace use.
 *
 * @param {string} root of the workspace
 * @returns {Record<string, string>} by package name, sorted: the public packages of the workspace, and those of the catalog
 */
export function ranges(root) {
  const own = readdirSync(join(root, 'packages'))
    .map((name) => JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8')))
    .filter((manifest) => manifest.private !== true)
    .map(({ name, version }) => /** @type {const} */ ([name, `^${version}`]));
  const found = [...own, ...catalogOf(readFileSync(join(root, 'pnpm-workspace.yaml'), 'utf8'))];
  return Object.fromEntries(found.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * @param {string} text of `pnpm-workspace.yaml`
 * @returns {(readonly [name: string, range: string])[]}
 */
function catalogOf(text) {
  const [, block = ''] = /^catalog:\n((?: {2}.+\n)+)/m.exec(text) ?? [];
  return [...block.matchAll(/^ {2}"?([^\s":]+)"?: (\S+)$/gm)].map(([, name = '', range = '']) => [
    name,
    range,
  ]);
}
