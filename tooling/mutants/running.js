import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

/** @typedef {import('./mutation.js').Mutant} Mutant */

/**
 * The outcome of one mutant.
 *
 * @typedef {object} Outcome
 * @property {string} id
 * @property {'caught' | 'survived' | 'broken'} verdict `broken` if its tests did not run
 * @property {string} [test] the first failed test, or the reason that no test ran
 */

const root = fileURLToPath(new URL('../..', import.meta.url));
const config = fileURLToPath(new URL('./vitest.config.js', import.meta.url));
const vitest = join(root, 'node_modules/vitest/vitest.mjs');
/** Milliseconds after which a mutant that hangs its tests counts as caught. */
const hung = 180_000;

/**
 * Runs the tests of one mutant, or of the unchanged sources.
 *
 * @param {Mutant | undefined} mutant
 * @param {readonly string[]} tests
 * @param {AbortSignal} signal
 * @returns {Promise<Omit<Outcome, 'id'>>}
 */
export async function runTests(mutant, tests, signal) {
  const folder = await mkdtemp(join(tmpdir(), 'mutants-'));
  const report = join(folder, 'report.json');
  const args = ['run', '--config', config, '--reporter=json', `--outputFile=${report}`];
  const bail = mutant === undefined ? [] : ['--bail=1'];
  const child = spawn(process.execPath, [vitest, ...args, ...bail, ...tests], {
    cwd: root,
    env: { ...process.env, ...(mutant !== undefined && { MUTANT: mutant.id }) },
    stdio: ['ignore', 'ignore', 'pipe'],
    // In a process group of its own, so that a worker in an endless loop can be ended.
    detached: true,
  });
  const kill = () => child.pid !== undefined && process.kill(-child.pid, 'SIGKILL');
  signal.addEventListener('abort', kill, { once: true });
  let complaint = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    complaint = (complaint + text).slice(-2_000);
  });
  const timer = setTimeout(kill, mutant === undefined ? 10 * hung : hung);
  try {
    const [, killedBy] = await once(child, 'close');
    signal.throwIfAborted();
    if (killedBy === 'SIGKILL') return { verdict: 'caught', test: 'its tests hang' };
    return judged(JSON.parse(await readFile(report, 'utf8')));
  } catch (error) {
    if (signal.aborted) throw error;
    return { verdict: 'broken', test: complaint.trim() || String(error) };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', kill);
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * @param {{ testResults: { name: string, message?: string, assertionResults: { status: string, fullName: string }[] }[] }} report
 * @returns {Omit<Outcome, 'id'>}
 */
export function judged({ testResults }) {
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  const failed = tests.find(({ status }) => status === 'failed');
  if (failed !== undefined) return { verdict: 'caught', test: failed.fullName };
  if (
    tests.some(({ status }) => status === 'passed') &&
    testResults.every(({ assertionResults }) => assertionResults.length > 0)
  )
    return { verdict: 'survived' };
  const why = testResults.find(({ message }) => message)?.message;
  return { verdict: 'broken', test: why?.split('\n')[0] ?? 'no test ran' };
}
