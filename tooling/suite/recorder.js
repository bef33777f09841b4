/** A receiver of messages that records its calls. */
export class Recorder {
  /** @type {unknown[]} */
  values = [];
  /** @type {string[]} */
  problems = [];
  /** @type {(Error | undefined)[]} */
  ends = [];
  /** @type {import('./recorder.js').Recorder['reply']} */
  reply = () => undefined;
  /** @type {Set<() => void>} */
  #waiting = new Set();

  /** @type {import('./recorder.js').Recorder['receive']} */
  receive(value, exchange) {
    this.values.push(value);
    this.#wake();
    return this.reply(value, exchange);
  }

  /** @param {string} reason */
  malformed(reason) {
    this.problems.push(reason);
    this.#wake();
    return undefined;
  }

  /** @param {Error} [reason] */
  closed(reason) {
    this.ends.push(reason);
    this.#wake();
  }

  /** @param {number} number */
  async count(number) {
    await this.until(() => this.values.length >= number);
    return this.values;
  }

  async end() {
    await this.until(() => this.ends.length > 0);
    return this.ends[0];
  }

  /** @param {() => boolean} condition */
  async until(condition) {
    while (!condition()) await new Promise((resolve) => this.#waiting.add(() => resolve(undefined)));
  }

  #wake() {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }
}
