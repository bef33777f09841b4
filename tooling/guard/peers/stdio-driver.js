/** @typedef {import('../runs/wire.js').Wire} Wire */

/** A client without a framework over the pipes of a process: one request at a time, each written with one call. */
export class StdioDriver {
  #wire;
  #pipes;
  #rest = '';
  #id = 100_000;
  /** @type {any[]} */
  #messages = [];
  /** @type {(answers: any[]) => void} */
  #answered = () => {};

  /**
   * @param {{ stdin: import('node:stream').Writable, stdout: import('node:stream').Readable }} pipes
   * @param {Wire} wire
   */
  constructor(pipes, wire) {
    this.#wire = wire;
    this.#pipes = pipes;
    pipes.stdout.setEncoding('utf8').on('data', (chunk) => this.#take(chunk));
  }

  async open() {
    for (const message of this.#wire.opening) {
      if (message.id === undefined) this.#pipes.stdin.write(`${JSON.stringify(message)}\n`);
      else await this.#ask(message);
    }
  }

  /**
   * Sends `count` requests, one after another.
   *
   * @param {number} count
   */
  async run(count) {
    for (let n = 0; n < count; n++) {
      const problem = this.#wire.problem(await this.#ask(this.#wire.request(++this.#id)));
      if (problem !== undefined) throw new Error(`wrong answer: ${problem}`);
    }
  }

  close() {
    this.#pipes.stdin.end();
  }

  /**
   * @param {object} message
   * @returns {Promise<any[]>} all messages up to the answer
   */
  #ask(message) {
    return new Promise((resolve) => {
      this.#answered = resolve;
      this.#pipes.stdin.write(`${JSON.stringify(message)}\n`);
    });
  }

  /** @param {string} chunk */
  #take(chunk) {
    const lines = (this.#rest + chunk).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      const message = JSON.parse(line);
      this.#messages.push(message);
      if (message.id === undefined) continue;
      const messages = this.#messages;
      this.#messages = [];
      this.#answered(messages);
    }
  }
}
