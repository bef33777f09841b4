import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** @typedef {{ ok: boolean, output: string }} Outcome */

/**
 * Runs a command to its end, without a shell and without stdin.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd: string, timeout?: number }} options the timeout is in milliseconds
 * @returns {Outcome}
 */
export function run(command, args, { cwd, timeout = 300_000 }) {
  const done = spawnSync(command, args, {
    cwd,
    timeout,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = `${done.stdout ?? ''}${done.stderr ?? ''}${done.error ? `${done.error.message}\n` : ''}`;
  return { ok: done.status === 0, output };
}

/**
 * Runs the pnpm that runs this script; throws with its output when it fails.
 *
 * @param {string[]} args
 * @param {string} cwd
 */
export function pnpm(args, cwd) {
  const own = process.env.npm_execpath ?? '';
  const { ok, output } = /pnpm[^/\\]*\.c?js$/.test(own)
    ? run(process.execPath, [own, ...args], { cwd })
    : run('pnpm', args, { cwd });
  if (!ok) throw new Error(`pnpm ${args.join(' ')} failed in ${cwd}\n${output}`);
}

/**
 * @param {string} folder where this tool's dependencies are installed
 * @returns {string | undefined} the newest LTS Node, where it is published for this platform
 */
export function newestNode(folder) {
  const name = `node-${process.platform}-${process.arch}`;
  const path = join(folder, 'node_modules', name, 'bin', 'node');
  return existsSync(path) ? path : undefined;
}
