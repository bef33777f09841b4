import { spawnSync } from 'node:child_process';
import { cpus } from 'node:os';

/** The core that measured processes run on, and the one that drives them and serves them. */
export const cores = { measured: 0, driving: 1 };

/** All cores, as `taskset` writes them. */
export const everyCore = `0-${cpus().length - 1}`;

/** @type {string | undefined | null} */
let found = null;

/** The command that pins a process to a core, where there is one and both cores can be had. */
export function taskset() {
  if (found === null) {
    const canBeHad = (/** @type {number} */ core) =>
      spawnSync('taskset', ['-c', String(core), 'true']).status === 0;
    found = process.platform === 'linux' && Object.values(cores).every(canBeHad) ? 'taskset' : undefined;
  }
  return found;
}

/** Pins this process and its threads to the driving core. Tells whether that was done. */
export function pinThisProcess() {
  return pin(process.pid, String(cores.driving));
}

/** Lets this process run on every core again. */
export function unpinThisProcess() {
  pin(process.pid, everyCore);
}

/**
 * Pins a process that runs, with all its threads. Tells whether that was done.
 *
 * @param {number} pid
 * @param {string} list of cores
 */
export function pin(pid, list) {
  const command = taskset();
  return command !== undefined && spawnSync(command, ['-a', '-p', '-c', list, String(pid)]).status === 0;
}
