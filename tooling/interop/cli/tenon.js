// Runs `tenon` as a process.
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { runProgram } from '../../suite/services/run-program.js';

/** @typedef {Awaited<ReturnType<typeof runProgram>>} Outcome */

/** The program, before its words. */
export const tenonProgram = [
  process.execPath,
  fileURLToPath(new URL('../../../packages/cli/dist/main.js', import.meta.url)),
];

/**
 * @param {readonly string[]} words
 * @param {{ home: string, input?: string | undefined }} place
 * @returns {Promise<Outcome>}
 */
export function runTenon(words, { home, input = '' }) {
  const env = { PATH: process.env.PATH, HOME: home, NO_COLOR: '1' };
  return runProgram([...tenonProgram, ...words], { env, cwd: home, input });
}
