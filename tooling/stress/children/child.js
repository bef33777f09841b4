import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { firstWithin } from './waiting.js';

/** @typedef {{ readonly code: number | null, readonly signal: string | null }} ChildEnd */

/** A process that carries out commands, and must end by itself after {@link release}. */
export class Child {
  #name;
  #process;
  /** @type {Map<number, { resolve: (value: any) => void, reject: (error: Error) => void }>} */
  #waiting = new Map();
  #last = 0;
  /** @type {Promise<ChildEnd>} */
  ended;

  /**
   * @param {string} name for messages
   * @param {URL} file
   * @param {readonly string[]} [execArgv] options of Node. By default those for measuring memory: without the optimizing
   *   compiler, because the code it makes grows with time
   */
  constructor(name, file, execArgv = ['--expose-gc', '--no-opt']) {
    this.#name = name;
    this.#process = fork(fileURLToPath(file), [], {
      execArgv: [...execArgv],
      serialization: 'advanced',
      stdio: ['ignore', 2, 2, 'ipc'],
    });
    this.#process.on('message', (message) => this.#settle(/** @type {any} */ (message)));
    this.ended = new Promise((resolve) => {
      this.#process.once('exit', (code, signal) => {
        resolve({ code, signal });
        for (const { reject } of this.#waiting.values()) reject(this.#gone({ code, signal }));
        this.#waiting.clear();
      });
    });
  }

  /**
   * @param {string} command
   * @param {object} [given]
   * @returns {Promise<any>}
   */
  call(command, given = {}) {
    const id = ++this.#last;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#process.send({ id, command, given }, (error) => {
        if (error) this.ended.then((end) => reject(this.#gone(end)));
      });
    });
  }

  /**
   * Closes the channel to the process, and waits for its end.
   *
   * @param {number} ms
   * @returns {Promise<ChildEnd | undefined>} undefined if it had not ended by then and was killed
   */
  async release(ms) {
    if (this.#process.connected) this.#process.disconnect();
    return this.endWithin(ms);
  }

  /**
   * Waits for the end of the process.
   *
   * @param {number} ms
   * @returns {Promise<ChildEnd | undefined>} undefined if it had not ended by then and was killed
   */
  async endWithin(ms) {
    const end = await firstWithin(this.ended, ms, undefined);
    if (end === undefined) this.kill();
    return end;
  }

  /** @param {NodeJS.Signals} [signal] */
  kill(signal = 'SIGKILL') {
    this.#process.kill(signal);
  }

  /** @param {ChildEnd} end */
  #gone({ code, signal }) {
    return new Error(`The ${this.#name} process ended by itself (${code ?? signal}).`);
  }

  /** @param {{ id: number, result?: unknown, error?: string }} message */
  #settle({ id, result, error }) {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error === undefined) waiting?.resolve(result);
    else waiting?.reject(new Error(`The ${this.#name} process failed: ${error}`));
  }
}
