import { Browser } from './browser.js';

/** The program a client belongs to: answers what servers ask, and remembers what it was asked and told. */
export class Application {
  /** @type {{ kind: string, params: any }[]} */
  #asked = [];
  /** What servers logged. */
  logs = new Inbox();
  /** What the client complained of without failing a call. */
  complaints = new Inbox();
  /** Where its user signs in. */
  browser = new Browser();
  /** The next answers; a suite may put others in place. */
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
   * What was asked since the last time this was called.
   *
   * @returns {any[]}
   */
  takeAsked() {
    const asked = this.#asked;
    this.#asked = [];
    return asked;
  }
}

/** Messages as they come in. */
export class Inbox {
  /** @type {any[]} */
  #messages = [];
  #wake = () => {};

  /** @param {unknown} message */
  add(message) {
    this.#messages.push(message);
    this.#wake();
  }

  /** What has come so far; the inbox is empty then. */
  take() {
    const messages = this.#messages;
    this.#messages = [];
    return messages;
  }

  /**
   * Waits for so many messages and takes all there are.
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
