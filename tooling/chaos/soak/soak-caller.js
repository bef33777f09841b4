import { setTimeout as pause } from 'node:timers/promises';
import { SessionError } from '@tenon/mcp-client';
import { question, userAnswerTo } from '../storm/answers.js';
import { oneCall } from '../storm/calls.js';
import { familyOf, told } from '../storm/known-errors.js';

/** @typedef {import('./lanes.js').Lane} Lane */
/** @typedef {import('./lanes.js').Opened} Opened */

/**
 * What all callers share.
 *
 * @typedef {object} Surroundings
 * @property {import('./premises.js').Premises} premises
 * @property {import('../storm/ledger.js').Ledger} ledger
 * @property {import('../children/counted-clock.js').CountedClock} clock
 * @property {(error: unknown, where: string) => void} onError
 */

/** Kinds of calls, and how often each comes: few that take seconds. */
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

/** The part of callers that begin a new client before a call. */
const restless = 0.02;

/** One program that calls the server on one lane, over one client after another. */
export class SoakCaller {
  /** @type {Map<number, import('../storm/calls.js').Heard>} */
  open = new Map();
  /** Faults that struck clients it has closed. */
  strikes = 0;
  ledger;
  random;
  revision;
  lossy;
  uncounted;
  #around;
  #lane;
  #isLeaving = false;
  /** @type {Opened | undefined} */
  #opened;
  /** Numbers of all its calls: a question may come late. @type {Set<number>} */
  #known = new Set();

  /**
   * @param {Surroundings} around
   * @param {Lane} lane
   * @param {{ revision: string, random: import('../faults/random.js').Random }} own
   */
  constructor(around, lane, { revision, random }) {
    this.#around = around;
    this.#lane = lane;
    this.ledger = around.ledger;
    this.random = random;
    this.revision = revision;
    this.lossy = lane.lossy === true;
    this.uncounted = lane.uncounted === true;
  }

  /** Calls until it is told to leave, and until every call has ended. */
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

  /** Makes no further calls. */
  leave() {
    this.#isLeaving = true;
  }

  /** Once nothing breaks any more, the caller must get its answer. */
  async calm() {
    for (let attempt = 0; attempt < 3; attempt++) {
      const opened = await this.#client();
      if (opened !== undefined && (await oneCall(this, opened.client, 'quick'))) return;
      await this.close();
    }
    this.ledger.blame('not alive after the storm', `${this.#lane.name}, ${this.revision}`);
  }

  async close() {
    const opened = this.#opened;
    this.#opened = undefined;
    this.strikes += opened?.strikes?.length ?? 0;
    try {
      await opened?.close();
    } catch (error) {
      this.ledger.blame('closing failed', told(error));
    }
  }

  /**
   * @param {number} number
   * @param {import('../storm/calls.js').Heard} heard
   */
  begins(number, heard) {
    this.open.set(number, heard);
    this.#known.add(number);
  }

  /**
   * @param {unknown} error
   * @param {string} what
   */
  blameUnlessTyped(error, what) {
    const about = `${this.#lane.name}, ${this.revision}: ${what}: ${told(error)}`;
    if (familyOf(error) === undefined) this.ledger.blame('untyped error', about);
    const isOwnDoing = what === 'cancelled' && error instanceof SessionError && error.reason === 'cancelled';
    if (this.#lane.whole && !isOwnDoing) this.ledger.blame('unexplained error', about);
  }

  async #client() {
    if (this.#opened !== undefined && this.#opened.client.state !== 'closed') return this.#opened;
    await this.close();
    const { premises, ledger } = this.#around;
    try {
      const opened = await this.#lane.open({
        premises,
        ledger,
        random: this.random,
        options: this.#options(),
      });
      this.#opened = opened;
      await opened.client.watch({ resources: true }, () => ledger.note('changes heard'));
      ledger.note('clients opened');
      return opened;
    } catch (error) {
      await this.close();
      this.blameUnlessTyped(error, 'connecting');
      ledger.note(`not connected: ${familyOf(error)}`);
      return undefined;
    }
  }

  /** @returns {import('@tenon/mcp-client').ClientOptions} */
  #options() {
    const { clock, onError } = this.#around;
    const answer = (/** @type {string | undefined} */ asked) => this.#userAnswer(asked);
    return {
      // It asks as fast as it can.
      rates: false,
      info: { name: 'caller', version: '1.0.0' },
      revision: this.revision,
      clock,
      random: this.random.next,
      onError,
      logLevel: 'info',
      limits: this.#lane.lossy ? { requestTimeout: 1_500, requestTotal: 8_000 } : { requestTimeout: 12_000 },
      reconnect: { delay: 50, maxDelay: 1_000, attempts: 10 },
      onElicit: ({ message }) => ({ action: 'accept', content: { value: answer(message) } }),
      onSample: ({ messages }) => {
        const text = String(answer(/** @type {any} */ (messages[0])?.content.text));
        return { model: 'user', role: 'assistant', content: { type: 'text', text } };
      },
      onLog: ({ data }) => this.#hearLog(/** @type {any} */ (data)),
      onState: ({ state }) => {
        if (state === 'reconnecting') this.ledger.note('connections replaced');
      },
    };
  }

  /** @param {{ number?: number, step?: number }} data */
  #hearLog({ number, step }) {
    if (number !== undefined && step !== undefined) this.open.get(number)?.logs.push(step);
  }

  /** @param {string | undefined} asked */
  #userAnswer(asked) {
    const number = Number(question.exec(asked ?? '')?.[1]);
    if (!this.#known.has(number)) this.ledger.blame('question of another call', String(asked));
    return userAnswerTo(number);
  }
}
