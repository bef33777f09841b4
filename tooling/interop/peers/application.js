import { Browser } from './browser.js';

/** The host application of a client: answers input requests, and records them with the messages it receives. */
export class Application {
  /** @type {{ kind: string, params: any }[]} */
  #asked = [];
  /** Log messages of the server. */
  logs = new Inbox();
  /** Errors that the client reported without failing a call. */
  complaints = new Inbox();
  /** The browser its user signs in with. */
  browser = new Browser();
  /** The answers to the next input requests; a suite may replace them. */
  answers = {
    form: (/** @type {any} */ _params) => /** @type {any} */ ({ action: 'cancel' }),
    url: (/** @type {any} */ _params) => /** @type {any} */ ({ action: 'accept' }),
    sample: (/** @type {any} */ _params) => /** @type {any} */ ({}),
  };
  roots = [
    { uri: 'file:///home/user/project', name: 'project' },
    { uri: 'file:///srv/d%C3%A5ta', name: 'dåta' },
  ];

  /**
   * @param {'form' | 'url' | 'sample' | 'roots'} kind
   * @param {any} params
   */
  answer(kind, params) {
    const { _meta, ...rest } = params ?? {};
    this.#asked.push({ kind, params: rest });
    return kind === 'roots' ? { roots: this.roots } : this.answers[kind](params);
  }

  /**
   * Returns the input requests since the last call.
   *
   * @returns {any[]}
   */
  takeInputRequests() {
    const asked = this.#asked;
    this.#asked = [];
    return asked;
  }
}

/** Received messages. */
export class Inbox {
  /** @type {any[]} */
  #messages = [];
  #wake = () => {};

  /** @param {unknown} message */
  add(message) {
    this.#messages.push(message);
    this.#wake();
  }

  /** Removes and returns all messages. */
  take() {
    const messages = this.#messages;
    this.#messages = [];
    return messages;
  }

  /**
   * Waits until there are `count` messages, then removes and returns all messages.
   *
   * @param {number} count
   */
  async first(count) {
    while (this.#messages.length < count) {
      await new Promise((resolve) => {
        this.#wake = () => resolve(undefined);
      });
    }
    return this.take();
  }
}
