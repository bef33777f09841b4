// Runs `tenon` as a process.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

/** @typedef {{ code: number | null, stdout: string, stderr: string }} Outcome */

/** The program, before its words. */
export const tenonProgram = [
  process.execPath,
  fileURLToPath(new URL('../../../packages/cli/dist/main.js', import.meta.url)),
];

const patience = 90_000;
const longest = 4_000_000;

/**
 * @param {readonly string[]} words
 * @param {{ home: string, input?: string | undefined }} place
 * @returns {Promise<Outcome>}
 */
export async function runTenon(words, { home, input = '' }) {
  const [file = '', ...first] = tenonProgram;
  const env = { PATH: process.env.PATH, HOME: home, NO_COLOR: '1' };
  const child = spawn(file, [...first, ...words], { env, cwd: home });
  const timer = setTimeout(() => child.kill('SIGKILL'), patience);
  const outcome = { stdout: '', stderr: '' };
  for (const name of /** @type {const} */ (['stdout', 'stderr'])) {
    child[name].on('data', (chunk) => {
      outcome[name] = (outcome[name] + chunk).slice(-longest);
    });
  }
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const [code] = await once(child, 'close');
  clearTimeout(timer);
  return { code, ...outcome };
}
