import { spawnSync } from 'node:child_process';
import { cpus } from 'node:os';

/** The core of measured processes, and the core of processes that drive or serve them. */
export const cores = { measured: 0, driving: 1 };

/** All cores, in the form of `taskset`. */
export const everyCore = `0-${cpus().length - 1}`;

/** All cores but the driving one, in the form of `taskset`: one core on a machine with two. */
export const coresOfCluster =
  cpus()
    .map((_, core) => core)
    .filter((core) => core !== cores.driving)
    .join(',') || everyCore;

/** @type {string | undefined | null} */
let found = null;

/** Returns the command that pins a process to a core, if it exists and both cores are available. */
export function taskset() {
  if (found === null) {
    const canBeHad = (/** @type {number} */ core) =>
      spawnSync('taskset', ['-c', String(core), 'true']).status === 0;
    found = process.platform === 'linux' && Object.values(cores).every(canBeHad) ? 'taskset' : undefined;
  }
  return found;
}

/** Pins this process and its threads to the driving core. True if it worked. */
export function pinThisProcess() {
  return pin(process.pid, String(cores.driving));
}

/** Allows all cores for this process again. */
export function unpinThisProcess() {
  pin(process.pid, everyCore);
}

/**
 * Pins a running process with all its threads. True if it worked.
 *
 * @param {number} pid
 * @param {string} list of cores
 */
export function pin(pid, list) {
  const command = taskset();
  return command !== undefined && spawnSync(command, ['-a', '-p', '-c', list, String(pid)]).status === 0;
}
