import { MessageCounter } from './message-counter.js';

/** One request under way while time is taken: counts what comes, and tells at the end what was wrong with it. */
export class Exchange {
  #counter = new MessageCounter();
  #messages;
  #onEnd;
  #status = 0;
  /** @type {Buffer | undefined} */
  #last;

  /**
   * @param {number} messages that are due
   * @param {(flaw: string | undefined) => void} onEnd
   */
  constructor(messages, onEnd) {
    this.#messages = messages;
    this.#onEnd = onEnd;
  }

  /** Undici takes a handler with this method for one of the present kind. */
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
    this.#onEnd(this.#flaw());
  }

  /**
   * @param {unknown} _
   * @param {Error} error
   */
  onResponseError(_, error) {
    this.#onEnd(`no answer: ${error.message}`);
  }

  #flaw() {
    const { messages, answers, failed } = this.#counter;
    if (this.#status === 200 && !failed && answers === 1 && messages === this.#messages) return undefined;
    const found = failed ? 'an error was answered' : `${messages} messages, not ${this.#messages}`;
    return `${found}, status ${this.#status}: ${this.#last?.toString('utf8').slice(0, 300)}`;
  }
}
