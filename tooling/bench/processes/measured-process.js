import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { everyCore, pin, taskset } from './pinning.js';

/**
 * The options of a process.
 *
 * @typedef {object} Start
 * @property {'server.js' | 'caller.js'} program
 * @property {readonly string[]} args
 * @property {string} [node] the Node that runs it; default: this one
 * @property {readonly string[]} [flags] of Node
 * @property {number} [core] the core it is pinned to from its start, if possible; default: the cores of this process
 */

/**
 * A message of a process: where it serves, or a measurement.
 *
 * @typedef {object} ProcessMessage
 * @property {string} url
 * @property {number} count of calls
 * @property {number} ms
 * @property {number} cpu in microseconds
 * @property {number} heap in bytes
 */

/** @type {Set<MeasuredProcess>} */
const running = new Set();

/** Ends all running processes. */
export async function closeAll() {
  await Promise.all([...running].map((one) => one.close()));
}

/** Milliseconds until a process must end by itself. */
const patience = 5_000;

/** A process that is measured, or serves a measured one. It is kept between rounds, so that it stays warm. */
export class MeasuredProcess {
  #child;
  /** @type {Promise<never>} rejects when the process ends */
  ended;
  /** @type {string} */
  #said = '';

  /** @param {Start} start */
  constructor({ program, args, node = process.execPath, flags = [], core }) {
    const path = fileURLToPath(new URL(program, import.meta.url));
    const command = taskset();
    this.#child = fork(path, [...args], {
      execPath: command ?? node,
      execArgv: command === undefined ? [...flags] : ['-c', String(core ?? everyCore), node, ...flags],
      stdio: ['pipe', 'pipe', 'pipe', 'ipc'],
    });
    if (this.#child.pid !== undefined) running.add(this);
    this.#child.on('exit', () => running.delete(this));
    this.stdin.on('error', () => {});
    this.stdout.resume();
    this.#child.stderr?.setEncoding('utf8').on('data', (text) => {
      this.#said = (this.#said + text).slice(-2_000);
    });
    this.ended = new Promise((_, reject) => {
      this.#child.on('error', reject);
      this.#child.on('close', (code, signal) =>
        reject(new Error(`the process ended with ${signal ?? `code ${code}`}: ${reasonIn(this.#said)}`)),
      );
    });
    this.ended.catch(() => {});
  }

  /** The pipe into the process. */
  get stdin() {
    return /** @type {import('node:stream').Writable} */ (this.#child.stdin);
  }

  /** The pipe out of the process. */
  get stdout() {
    return /** @type {import('node:stream').Readable} */ (this.#child.stdout);
  }

  /**
   * Returns the next message of the process; the first means that it is ready.
   *
   * @throws Error with the error that the process reports
   *
   * @returns {Promise<ProcessMessage>}
   */
  async message() {
    const [message] = await Promise.race([once(this.#child, 'message'), this.ended]);
    if (message?.error !== undefined) throw new Error(String(message.error));
    return message;
  }

  /**
   * @param {'cpu' | 'heap' | object} kind
   * @returns {Promise<ProcessMessage>}
   */
  ask(kind) {
    const answer = this.message();
    this.#child.send(kind);
    return answer;
  }

  /**
   * Pins the process to one core or to a list of cores from now on, if possible.
   *
   * @param {number | string} list
   */
  pin(list) {
    if (this.#child.pid !== undefined) pin(this.#child.pid, String(list));
  }

  /** Microseconds of CPU that the process has used. */
  async cpu() {
    return /** @type {import('./usage-reports.js').CpuAnswer} */ (await this.ask('cpu')).cpu;
  }

  /** Bytes that the process keeps alive; it must run with `--expose-gc`. */
  async heap() {
    return /** @type {import('./usage-reports.js').HeapAnswer} */ (await this.ask('heap')).heap;
  }

  async close() {
    if (!running.has(this)) return;
    const exited = once(this.#child, 'exit');
    this.stdin.end();
    this.#child.kill('SIGTERM');
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), patience);
    await exited;
    clearTimeout(timer);
  }
}

/**
 * Returns the line that names the error in the last output of a process.
 *
 * @param {string} text
 */
function reasonIn(text) {
  const lines = text.trim().split('\n');
  return lines.find((line) => /^\w*Error\b/.test(line)) ?? (lines.at(-1) || 'without a word');
}
