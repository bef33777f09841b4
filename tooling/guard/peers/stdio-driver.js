/** @typedef {import('../runs/wire.js').Wire} Wire */

/** A client without a framework over the pipes of a process: one request at a time, each written in one piece. */
export class StdioDriver {
  #wire;
  #pipes;
  #rest = '';
  #id = 100_000;
  /** @type {any[]} */
  #heard = [];
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
   * Sends so many requests, one after another.
   *
   * @param {number} count
   */
  async run(count) {
    for (let n = 0; n < count; n++) {
      const flaw = this.#wire.flaw(await this.#ask(this.#wire.request(++this.#id)));
      if (flaw !== undefined) throw new Error(`wrong answer: ${flaw}`);
    }
  }

  close() {
    this.#pipes.stdin.end();
  }

  /**
   * @param {object} message
   * @returns {Promise<any[]>} every message until the answer
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
      this.#heard.push(message);
      if (message.id === undefined) continue;
      const heard = this.#heard;
      this.#heard = [];
      this.#answered(heard);
    }
  }
}
