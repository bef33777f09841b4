import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('caller.js', import.meta.url));

/** A process that calls; kept between rounds, so that every round finds it warm. */
export class CallerProcess {
  #child;
  /** @type {Promise<never>} rejects when the process ends */
  #ended;

  /**
   * @param {string} name
   * @param {'handshake' | 'stateless'} lifecycle
   * @param {string[]} flags for Node
   */
  constructor(name, lifecycle, flags) {
    this.#child = fork(program, [name, lifecycle], {
      execArgv: flags,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    this.#ended = new Promise((_, reject) => {
      this.#child.on('exit', (code) => reject(new Error(`the process ended with code ${code}`)));
    });
    this.#ended.catch(() => {});
  }

  async open() {
    await this.#message();
  }

  /**
   * @param {number} ms
   * @returns {Promise<import('./stdio-driver.js').Sample>}
   */
  async run(ms) {
    this.#child.send({ ms });
    const answer = await this.#message();
    if (answer.error !== undefined) throw new Error(answer.error);
    return answer;
  }

  async close() {
    if (this.#child.exitCode !== null || !this.#child.connected) return;
    const exited = once(this.#child, 'exit');
    this.#child.send('close');
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), 3000);
    await exited;
    clearTimeout(timer);
  }

  /** @returns {Promise<any>} */
  async #message() {
    const [message] = await Promise.race([once(this.#child, 'message'), this.#ended]);
    return message;
  }
}
