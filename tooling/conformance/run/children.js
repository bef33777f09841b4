import { spawn } from 'node:child_process';

/** @typedef {import('node:child_process').ChildProcess} ChildProcess */

const mostOutput = 4_000_000;
/** @type {Set<ChildProcess>} */
const running = new Set();

process.on('exit', () => {
  for (const child of running) killGroup(child);
});
for (const [signal, code] of /** @type {const} */ ([
  ['SIGINT', 130],
  ['SIGTERM', 143],
])) {
  process.once(signal, () => process.exit(code));
}

/**
 * Starts a program in a process group of its own. It ends with this process.
 *
 * @param {string} program
 * @param {readonly string[]} args
 */
export function start(program, args) {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  running.add(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk) => {
      output = (output + chunk).slice(-mostOutput);
    });
  }
  const ended = new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', () => running.delete(child));
    child.once('close', (code, signal) => resolve(code ?? signal));
  });
  return {
    child,
    /** @returns {string} everything it wrote to both streams */
    output: () => output,
    /** @type {Promise<number | NodeJS.Signals>} its exit code, or the signal that ended it */
    ended,
    kill: () => killGroup(child),
  };
}

/** @param {ChildProcess} child */
function killGroup({ pid }) {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}
