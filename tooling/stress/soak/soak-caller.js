import { setTimeout as pause } from 'node:timers/promises';
import { SessionError } from '@tenon/mcp-client';
import { inputMessage, userAnswerTo } from '../storm/answers.js';
import { oneCall } from '../storm/calls.js';
import { errorText, familyOf } from '../storm/known-errors.js';

/** @typedef {import('./server-paths.js').ServerPath} ServerPath */
/** @typedef {import('./server-paths.js').Opened} Opened */

/**
 * The values that all callers share.
 *
 * @typedef {object} CallerSetup
 * @property {import('./soak-servers.js').SoakServers} servers
 * @property {import('../storm/ledger.js').Ledger} ledger
 * @property {import('../children/counted-clock.js').CountedClock} clock
 * @property {(error: unknown, where: string) => void} onError
 */

/** The weights of kinds of calls. Few of the calls take seconds. */
const callKinds = Object.freeze({
  quick: 40,
  steps: 8,
  ask: 14,
  read: 10,
  list: 5,
  long: 1,
  large: 6,
  cancelled: 8,
  batch: 8,
});

/** The probability that a caller replaces its client before a call. */
const restless = 0.02;

/** A program that calls the server over one path, with one client after another. */
export class SoakCaller {
  /** @type {Map<number, import('../storm/calls.js').Received>} */
  open = new Map();
  /** Faults on clients that are closed now. */
  faults = 0;
  ledger;
  random;
  revision;
  lossy;
  uncounted;
  #setup;
  #path;
  #isLeaving = false;
  /** @type {Opened | undefined} */
  #opened;
  /** Numbers of all calls, because an input request may arrive late. @type {Set<number>} */
  #known = new Set();

  /**
   * @param {CallerSetup} setup
   * @param {ServerPath} path
   * @param {{ revision: string, random: import('../faults/random.js').Random }} own
   */
  constructor(setup, path, { revision, random }) {
    this.#setup = setup;
    this.#path = path;
    this.ledger = setup.ledger;
    this.random = random;
    this.revision = revision;
    this.lossy = path.lossy === true;
    this.uncounted = path.uncounted === true;
  }

  /** Calls until {@link leave}, then waits for every call to end. */
  async run() {
    while (!this.#isLeaving) {
      if (this.random.chance(restless)) await this.close();
      const opened = await this.#client();
      if (opened === undefined) await pause(this.random.between(50, 200));
      else {
        const together = this.random.chance(0.3) ? this.random.whole(2, 6) : 1;
        const calls = Array.from({ length: together }, () =>
          oneCall(this, opened.client, this.random.pick(callKinds)),
        );
        await Promise.all(calls);
        await pause(this.random.between(5, 80));
      }
    }
  }

  /** Stops making calls. */
  leave() {
    this.#isLeaving = true;
  }

  /** After the faults have stopped: the caller must get its answer. */
  async calm() {
    for (let attempt = 0; attempt < 3; attempt++) {
      const opened = await this.#client();
      if (opened !== undefined && (await oneCall(this, opened.client, 'quick'))) return;
      await this.close();
    }
    this.ledger.recordFault('not alive after the storm', `${this.#path.name}, ${this.revision}`);
  }

  async close() {
    const opened = this.#opened;
    this.#opened = undefined;
    this.faults += opened?.faults?.length ?? 0;
    try {
      await opened?.close();
    } catch (error) {
      this.ledger.recordFault('closing failed', errorText(error));
    }
  }

  /**
   * @param {number} number
   * @param {import('../storm/calls.js').Received} received
   */
  begins(number, received) {
    this.open.set(number, received);
    this.#known.add(number);
  }

  /**
   * @param {unknown} error
   * @param {string} what
   */
  recordUnlessTyped(error, what) {
    const about = `${this.#path.name}, ${this.revision}: ${what}: ${errorText(error)}`;
    if (familyOf(error) === undefined) this.ledger.recordFault('untyped error', about);
    const isOwnDoing = what === 'cancelled' && error instanceof SessionError && error.reason === 'cancelled';
    if (this.#path.whole && !isOwnDoing) this.ledger.recordFault('unexplained error', about);
  }

  async #client() {
    if (this.#opened !== undefined && this.#opened.client.state !== 'closed') return this.#opened;
    await this.close();
    const { servers, ledger } = this.#setup;
    try {
      const opened = await this.#path.open({
        servers,
        ledger,
        random: this.random,
        options: this.#options(),
      });
      this.#opened = opened;
      await opened.client.watch({ resources: true }, () => ledger.note('changes received'));
      ledger.note('clients opened');
      return opened;
    } catch (error) {
      await this.close();
      this.recordUnlessTyped(error, 'connecting');
      ledger.note(`not connected: ${familyOf(error)}`);
      return undefined;
    }
  }

  /** @returns {import('@tenon/mcp-client').ClientOptions} */
  #options() {
    const { clock, onError } = this.#setup;
    const answer = (/** @type {string | undefined} */ asked) => this.#userAnswer(asked);
    return {
      // It calls as fast as it can.
      rates: false,
      info: { name: 'caller', version: '1.0.0' },
      revision: this.revision,
      clock,
      random: this.random.next,
      onError,
      logLevel: 'info',
      limits: this.#path.lossy ? { requestTimeout: 1_500, requestTotal: 8_000 } : { requestTimeout: 12_000 },
      reconnect: { delay: 50, maxDelay: 1_000, attempts: 10 },
      onElicit: ({ message }) => ({ action: 'accept', content: { value: answer(message) } }),
      onSample: ({ messages }) => {
        const text = String(answer(/** @type {any} */ (messages[0])?.content.text));
        return { model: 'user', role: 'assistant', content: { type: 'text', text } };
      },
      onLog: ({ data }) => this.#receiveLog(/** @type {any} */ (data)),
      onState: ({ state }) => {
        if (state === 'reconnecting') this.ledger.note('connections replaced');
      },
    };
  }

  /** @param {{ number?: number, step?: number }} data */
  #receiveLog({ number, step }) {
    if (number !== undefined && step !== undefined) this.open.get(number)?.logs.push(step);
  }

  /** @param {string | undefined} asked */
  #userAnswer(asked) {
    const number = Number(inputMessage.exec(asked ?? '')?.[1]);
    if (!this.#known.has(number)) this.ledger.recordFault('input request of another call', String(asked));
    return userAnswerTo(number);
  }
}
