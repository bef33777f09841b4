import { MessageCounter } from './message-counter.js';

/** One pending request of a measurement: counts the messages, and reports a problem at the end. */
export class Exchange {
  #counter = new MessageCounter();
  #messages;
  #onEnd;
  #status = 0;
  /** @type {Buffer | undefined} */
  #last;

  /**
   * @param {number} messages expected messages
   * @param {(problem: string | undefined) => void} onEnd
   */
  constructor(messages, onEnd) {
    this.#messages = messages;
    this.#onEnd = onEnd;
  }

  /** Undici requires this method of current handlers. */
  onRequestStart() {}

  /**
   * @param {unknown} _
   * @param {number} status
   */
  onResponseStart(_, status) {
    this.#status = status;
  }

  /**
   * @param {unknown} _
   * @param {Buffer} chunk
   */
  onResponseData(_, chunk) {
    this.#counter.take(chunk);
    this.#last = chunk;
  }

  onResponseEnd() {
    this.#onEnd(this.#problem());
  }

  /**
   * @param {unknown} _
   * @param {Error} error
   */
  onResponseError(_, error) {
    this.#onEnd(`no answer: ${error.message}`);
  }

  #problem() {
    const { messages, answers, failed } = this.#counter;
    if (this.#status === 200 && !failed && answers === 1 && messages === this.#messages) return undefined;
    const found = failed ? 'an error was answered' : `${messages} messages, not ${this.#messages}`;
    return `${found}, status ${this.#status}: ${this.#last?.toString('utf8').slice(0, 300)}`;
  }
}
