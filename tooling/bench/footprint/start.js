import { spawn } from 'node:child_process';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { wires } from '../matrix/wires.js';
import { cores, taskset } from '../processes/pinning.js';

/**
 * A program that serves over stdio, and the arguments of its tool.
 *
 * @typedef {object} Start
 * @property {string} program in the folder `programs`
 * @property {Record<string, unknown>} input
 */

/**
 * Milliseconds since spawning.
 *
 * @typedef {object} Times
 * @property {number} listed until the answer to tools/list: the server is ready
 * @property {number} called until the answer to the first call
 */

const { opening, request } = wires.session;
const [initialize, ...rest] = opening;
const patience = 15_000;

/**
 * Starts a program like a client does, lists its tools and calls one.
 *
 * @param {Start} start
 * @returns {Promise<Times>}
 */
export function timeStart({ program, input }) {
  const path = fileURLToPath(new URL(`programs/${program}`, import.meta.url));
  const [command, ...args] = [...besideThisProcess(), process.execPath, path];
  // The messages to send at the start, and after each answer.
  const sends = [
    [initialize],
    [...rest, request(1, 'tools/list', {})],
    [request(2, 'tools/call', { name: 'plan', arguments: input })],
  ];
  return new Promise((resolve, reject) => {
    const begun = performance.now();
    const child = spawn(/** @type {string} */ (command), args, {
      stdio: ['pipe', 'pipe', 'pipe'],
      timeout: patience,
      killSignal: 'SIGKILL',
    });
    /** @type {number[]} the time of each answer */
    const answered = [];
    let said = '';
    let complaint = '';
    child.stdin.on('error', () => {});
    const sendNext = () => child.stdin.write(textOf(sends[answered.length] ?? []));
    sendNext();
    child.stderr.setEncoding('utf8').on('data', (text) => {
      complaint = (complaint + text).slice(-1_000);
    });
    child.stdout.setEncoding('utf8').on('data', (text) => {
      said += text;
      if (said.split('\n').length - 1 <= answered.length) return;
      answered.push(performance.now() - begun);
      if (answered.length < sends.length) sendNext();
      else child.kill('SIGKILL');
    });
    child.on('error', reject);
    child.on('close', () => {
      const [, listed, called] = answered;
      if (listed !== undefined && called !== undefined && said.includes('"3 days in Oslo"'))
        resolve({ listed, called });
      else reject(new Error(`${program} did not answer: ${said.slice(-300)}\n${complaint}`.trim()));
    });
  });
}

/** Pins a program to another core than that of this process, if there are two. */
function besideThisProcess() {
  const command = cpus().length > 1 ? taskset() : undefined;
  return command === undefined ? [] : [command, '-c', String(cores.measured)];
}

/** @param {(object | undefined)[]} messages */
const textOf = (messages) => messages.map((message) => `${JSON.stringify(message)}\n`).join('');
