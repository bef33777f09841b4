import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** @import { PageFile } from './row.js' */

/** The root of the repository, ending in a slash. */
export const root = fileURLToPath(new URL('../../../../', import.meta.url));

const folder = 'tooling/requirements/rows';

/**
 * Reads every page of rows, in the order of their paths.
 *
 * @param {string} [top] the folder the rows are in, as an absolute path
 * @returns {PageFile[]}
 * @throws SyntaxError that names the file when one is not JSON
 */
export function readPages(top = root + folder) {
  return readdirSync(top, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => ({ ...parsed(`${top}/${name}`), file: `${folder}/${name}` }));
}

/** @param {string} path */
function parsed(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    throw new SyntaxError(`${path} is not JSON: ${/** @type {Error} */ (cause).message}`, { cause });
  }
}
