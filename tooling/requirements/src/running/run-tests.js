import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** @import { JsonReport } from './report.js' */

// The package names its program, on every operating system.
const vitest = fileURLToPath(new URL('vitest.mjs', import.meta.resolve('vitest/package.json')));

/**
 * Runs test files in one run of vitest, which shows on stderr how far it is.
 *
 * @param {readonly string[]} files relative to the root
 * @param {string} root
 * @returns {Promise<JsonReport>} also when tests failed
 * @throws Error when vitest gave no report
 */
export async function runTests(files, root) {
  const folder = await mkdtemp(join(tmpdir(), 'tenon-requirements-'));
  const output = join(folder, 'report.json');
  try {
    const reporters = ['./tooling/suite/short-reporter.js', 'json'].map((name) => `--reporter=${name}`);
    const status = await finished(['run', ...reporters, `--outputFile.json=${output}`, ...files], root);
    const text = await readFile(output, 'utf8').catch((cause) => {
      throw new Error(`vitest ended with ${status} and gave no report`, { cause });
    });
    return JSON.parse(text);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/**
 * @param {readonly string[]} args
 * @param {string} cwd
 * @returns {Promise<number | string | null>} what it ended with
 */
function finished(args, cwd) {
  const child = spawn(process.execPath, [vitest, ...args], { cwd, stdio: ['ignore', 2, 2] });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code, signal) => resolve(signal ?? code));
  });
}
