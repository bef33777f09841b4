import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Characters that are kept of each output. */
const longest = 4_000_000;

/**
 * Runs a program to its end.
 *
 * @param {readonly string[]} command
 * @param {{ cwd: string, env?: NodeJS.ProcessEnv, input?: string, patience?: number }} options milliseconds after which it is killed
 * @returns {Promise<{ code: number | null, stdout: string, stderr: string }>}
 */
export async function runProgram([file = '', ...args], { cwd, env, input = '', patience = 90_000 }) {
  const child = spawn(file, args, { cwd, env, timeout: patience, killSignal: 'SIGKILL' });
  const printed = { stdout: '', stderr: '' };
  for (const name of /** @type {const} */ (['stdout', 'stderr'])) {
    child[name].setEncoding('utf8').on('data', (text) => {
      printed[name] = (printed[name] + text).slice(-longest);
    });
  }
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const [code] = await once(child, 'close');
  return { code, ...printed };
}
