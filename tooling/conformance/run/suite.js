import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { start } from './children.js';
import { argumentsOf } from './runs.js';

const here = fileURLToPath(new URL('..', import.meta.url));
const leastNode = 22;
/** Milliseconds that one run may take. */
const timeLimit = 120_000;
/** Milliseconds that one client may take. The suite starts all clients at once. */
const clientLimit = 60_000;

/**
 * The output of the suite.
 *
 * @typedef {object} Ran
 * @property {string} folder
 * @property {string} log
 * @property {string | undefined} trouble the reason that the run ended early
 */

/**
 * Runs the suite once.
 *
 * @param {import('./runs.js').Run} run
 * @param {{ target: string, folder: string }} options the server's URL or the client's command, and where results go
 * @returns {Promise<Ran>}
 */
export async function runSuite(run, { target, folder }) {
  const reached =
    run.side === 'server' ? ['--url', target] : ['--command', target, '--timeout', String(clientLimit)];
  const suite = start(nodeForSuite(), [suiteProgram(), ...argumentsOf(run), ...reached, '-o', folder]);
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    suite.kill();
  }, timeLimit);
  const status = await suite.ended;
  clearTimeout(timer);
  const log = suite.output();
  if (late) return { folder, log, trouble: `it was ended after ${timeLimit / 1_000} s` };
  // 0 and 1 depend on the scenarios; the results contain more.
  return {
    folder,
    log,
    trouble: status === 0 || status === 1 ? undefined : `the suite ended with exit code ${status}`,
  };
}

/**
 * Returns a Node that can run the suite: the installed package, else the Node that runs this program.
 *
 * @returns {string}
 * @throws {Error} if neither can run it
 */
export function nodeForSuite() {
  const platform = `${process.platform}-${process.arch}`;
  const installed = join(here, 'node_modules', `node-${platform}`, 'bin', 'node');
  if (existsSync(installed)) return installed;
  if (Number.parseInt(process.versions.node, 10) >= leastNode) return process.execPath;
  throw new Error(
    `The conformance suite needs Node ${leastNode} or newer, and no package brings it for ${platform}. ` +
      `Run this command with such a Node; this one is ${process.versions.node}.`,
  );
}

function suiteProgram() {
  const manifest = createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json');
  return join(dirname(manifest), 'dist/index.js');
}
