import { spawn } from 'node:child_process';

/** @typedef {{ ok: boolean, output: string, stdout: string }} Outcome `output` has stdout and stderr, in the order of arrival */

/**
 * Runs a command without a shell and without stdin. Resolves when it has ended, also when it fails.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd: string, env?: NodeJS.ProcessEnv, timeout?: number }} options the timeout is in milliseconds
 * @returns {Promise<Outcome>}
 */
export function run(command, args, { cwd, env = process.env, timeout = 300_000 }) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, env, timeout, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    let stdout = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      output += text;
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
    child.once('error', ({ message }) => resolve({ ok: false, output: `${output}${message}\n`, stdout }));
    child.once('close', (code, signal) => {
      const ended = signal === null ? '' : `ended by ${signal}\n`;
      resolve({ ok: code === 0, output: output + ended, stdout });
    });
  });
}

/**
 * Runs the pnpm that started this script, or the one on the path.
 *
 * @param {string[]} args
 * @param {string} cwd
 */
export function pnpm(args, cwd) {
  const own = process.env.npm_execpath ?? '';
  return /pnpm[^/\\]*\.c?js$/.test(own)
    ? run(process.execPath, [own, ...args], { cwd })
    : run('pnpm', args, { cwd });
}
