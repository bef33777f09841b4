import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { everyCore, pin, taskset } from './pinning.js';

/**
 * How a process is started.
 *
 * @typedef {object} Start
 * @property {'server.js' | 'caller.js'} program
 * @property {readonly string[]} args
 * @property {string} [node] the Node it runs on. Default: this one
 * @property {readonly string[]} [flags] for Node
 * @property {number} [core] it is pinned to from its start, where that can be done. Default: none, wherever this process is pinned
 */

/** @type {Set<MeasuredProcess>} */
const running = new Set();

/** Ends every process that still runs. */
export async function closeAll() {
  await Promise.all([...running].map((one) => one.close()));
}

/** Milliseconds a process has to end by itself. */
const patience = 5_000;

/** A process of its own that is measured, or serves one that is. It is kept between rounds, so that each finds it warm. */
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
   * The next message of the process; its first tells that it is ready. Throws what the process reports as its error.
   *
   * @returns {Promise<any>}
   */
  async message() {
    const [message] = await Promise.race([once(this.#child, 'message'), this.ended]);
    if (message?.error !== undefined) throw new Error(String(message.error));
    return message;
  }

  /**
   * @param {'cpu' | 'heap' | object} question
   * @returns {Promise<any>}
   */
  ask(question) {
    const answer = this.message();
    this.#child.send(question);
    return answer;
  }

  /**
   * Keeps the process on one core from now on, where that can be done.
   *
   * @param {number} core
   */
  pin(core) {
    if (this.#child.pid !== undefined) pin(this.#child.pid, String(core));
  }

  /** Microseconds of CPU the process has taken so far. */
  async cpu() {
    return /** @type {import('./questions.js').CpuAnswer} */ (await this.ask('cpu')).cpu;
  }

  /** Bytes the process keeps alive; it must run with `--expose-gc`. */
  async heap() {
    return /** @type {import('./questions.js').HeapAnswer} */ (await this.ask('heap')).heap;
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
 * The line that names an error, in what a process wrote before its end.
 *
 * @param {string} text
 */
function reasonIn(text) {
  const lines = text.trim().split('\n');
  return lines.find((line) => /^\w*Error\b/.test(line)) ?? (lines.at(-1) || 'without a word');
}
