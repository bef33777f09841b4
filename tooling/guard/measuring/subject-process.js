import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** @typedef {import('../runs/runs.js').Run} Run */

const program = fileURLToPath(new URL('../subject/subject.js', import.meta.url));

/** Flags that make counts repeatable: no optimizing compiler, no other threads. */
const steady = [
  '--no-opt',
  '--no-sparkplug',
  '--no-lazy-feedback-allocation',
  '--no-flush-bytecode',
  '--single-threaded',
];

/** A young generation of 64 MiB, so that garbage is collected only on request. */
const largeHeap = ['--expose-gc', '--min-semi-space-size=64', '--max-semi-space-size=64'];

/** A process that is measured. */
export class SubjectProcess {
  #child;
  #stderr = '';
  /** @type {Promise<never>} */
  #ended;

  /**
   * @param {Run} run
   * @param {{ mode: 'calls' | 'bytes', url?: string, preload?: string | undefined }} options `preload` is a module that
   *   the process loads first
   */
  constructor(run, { mode, url = '', preload }) {
    const flags = [...steady, ...(mode === 'bytes' ? largeHeap : [])];
    if (preload !== undefined) flags.push('--import', preload);
    this.#child = fork(program, [run.id, mode, url], {
      execArgv: flags,
      env: plainEnvironment(),
      serialization: 'advanced',
      stdio: ['pipe', 'pipe', 'pipe', 'ipc'],
    });
    this.#child.stderr?.setEncoding('utf8').on('data', (text) => {
      this.#stderr = (this.#stderr + text).slice(-2_000);
    });
    this.#child.stdin?.on('error', () => {});
    if (run.subject !== 'stdio-server') this.#child.stdout?.resume();
    this.#ended = new Promise((_, reject) => {
      this.#child.once('error', reject);
      this.#child.once('exit', (code, signal) =>
        reject(
          new Error(`${run.id}: the measured process ended (${code ?? signal}).\n${this.#stderr}`.trim()),
        ),
      );
    });
    this.#ended.catch(() => {});
  }

  get pipes() {
    const { stdin, stdout } = this.#child;
    if (stdin === null || stdout === null) throw new Error('The process has no pipes.');
    return { stdin, stdout };
  }

  /** The next message; the first is the URL if the process serves one. @returns {Promise<any>} */
  next() {
    const message = new Promise((resolve, reject) => {
      this.#child.once('message', (value) => {
        const { result, error } = /** @type {{ result?: unknown, error?: string }} */ (value);
        if (error === undefined) resolve(result);
        else reject(new Error(error));
      });
    });
    return Promise.race([message, this.#ended]);
  }

  /**
   * @param {'call' | 'begin' | 'take' | 'watch' | 'report'} order
   * @param {number} [count]
   */
  order(order, count = 0) {
    this.#child.send({ order, count });
    return this.next();
  }

  close() {
    this.#child.kill('SIGKILL');
  }
}

/** The environment without variables that change the behaviour of Node. */
function plainEnvironment() {
  const { NODE_OPTIONS, NODE_V8_COVERAGE, NODE_ENV, NODE_DEBUG, ...rest } = process.env;
  return rest;
}
