import { setTimeout as pause } from 'node:timers/promises';
import { inputMessage, userAnswerTo } from '../findings/answers.js';
import { errorText, familyOf } from '../findings/known-errors.js';
import { oneCall } from './calls.js';
import { clientOptions } from './client-options.js';

/**
 * The values that all callers share.
 *
 * @typedef {object} CallerSetup
 * @property {string} url of the proxy
 * @property {import('@tenon/mcp-server').Server | undefined} server if it is in this process
 * @property {import('../scenarios.js').Load} load
 * @property {() => boolean} isOver true after the storm
 * @property {import('../findings/ledger.js').Ledger} ledger
 * @property {import('../../children/counted-clock.js').CountedClock} clock
 * @property {(error: unknown, where: string) => void} onError
 */

/** The probability that a caller replaces its client before a call. */
const restless = 0.02;

/** A program that calls the server over one path during the storm, with one client after another. */
export class Caller {
  /** Pending calls by number, with the messages received for each. @type {Map<number, import('./calls.js').Received>} */
  open = new Map();
  random;
  ledger;
  /** Undefined for a caller that negotiates. */
  revision;
  path;
  /** Faults on clients that are closed now. */
  faults = 0;
  #setup;
  /** @type {import('../servers/server-paths.js').Opened | undefined} */
  #opened;
  #lastTick = 0;
  #changes = 0;
  #watchEnded = false;
  /** Numbers of all calls, because an input request may arrive late. @type {Set<number>} */
  #known = new Set();

  /**
   * @param {CallerSetup} setup
   * @param {import('../servers/server-paths.js').ServerPath} path
   * @param {{ revision: string | undefined, random: import('../../faults/random.js').Random }} own
   */
  constructor(setup, path, { revision, random }) {
    this.#setup = setup;
    this.path = path;
    this.ledger = setup.ledger;
    this.revision = revision;
    this.random = random;
  }

  /** The number of resource list changes received. */
  get changesReceived() {
    return this.#changes;
  }

  /** A description of its state, for messages. */
  get standing() {
    const { state, revision } = this.#opened?.client ?? {};
    return `${this.#name}: ${state}, speaks ${revision}, received ${this.#changes} changes`;
  }

  get #name() {
    return `${this.path.name}, ${this.revision ?? 'negotiated'}`;
  }

  /** Calls until the storm is over, then waits for every call to end. */
  async run() {
    const { load, isOver } = this.#setup;
    const { kinds, together, retry } = load;
    await pause(this.random.between(0, load.spread));
    while (!isOver()) {
      if (this.random.chance(restless)) await this.close();
      const client = await this.client();
      if (client === undefined) await pause(this.random.between(...retry));
      else {
        const count = this.random.chance(together.chance) ? this.random.whole(2, together.most) : 1;
        const calls = Array.from({ length: count }, () => oneCall(this, client, this.random.pick(kinds)));
        await Promise.all(calls);
        await pause(this.random.between(...load.pause));
      }
    }
  }

  /** After the storm: the caller must get its answer, or notice the lost connection and connect again. */
  async calm() {
    for (let attempt = 0; attempt < this.#setup.load.attempts; attempt++) {
      const client = await this.client();
      if (client !== undefined && (await oneCall(this, client, 'quick'))) return;
      await this.close();
    }
    this.ledger.recordFault('not alive after the storm', this.standing);
  }

  /** Returns the client; connects if there is none or the last one is closed. Undefined if that fails. */
  async client() {
    const last = this.#opened?.client;
    if (last !== undefined && last.state !== 'closed' && !this.#watchEnded) return last;
    await this.close();
    try {
      const { url, server, isOver } = this.#setup;
      const { ledger, random } = this;
      const options = this.#options();
      this.#opened = await this.path.open({ url, server, isOver, ledger, random, options });
      const { client } = this.#opened;
      this.#checkRevision(client);
      this.#watchEnded = false;
      await client.watch({ resources: true }, (change) => this.#receiveChange(change));
      ledger.note('clients opened');
      return client;
    } catch (error) {
      await this.close();
      this.recordUnlessTyped(error, 'connecting');
      this.ledger.note(`not connected: ${familyOf(error)}`);
      return undefined;
    }
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
   * @param {unknown} error
   * @param {string} what
   */
  recordUnlessTyped(error, what) {
    const about = `${what} (${this.#name}): ${errorText(error)}`;
    if (familyOf(error) === undefined) this.ledger.recordFault('untyped error', about);
    else if (this.path.explains?.(error, what) === false) this.ledger.recordFault('unexplained error', about);
  }

  /** @returns {import('@tenon/mcp-client').ClientOptions} */
  #options() {
    const { clock, onError, load } = this.#setup;
    const { revision, random } = this;
    return {
      ...clientOptions({
        ...{ name: 'caller', revision, random, onError },
        onAsk: (message) => this.#userAnswer(message),
        onLog: (data) => this.#receiveLog(/** @type {any} */ (data)),
      }),
      clock,
      limits: this.path.limits ?? { requestTimeout: 12_000 },
      ...(load.reconnect !== undefined && { reconnect: load.reconnect }),
      onStateChange: ({ state }) => this.#receiveState(state),
    };
  }

  /** @param {import('@tenon/mcp-client').Client} client */
  #checkRevision(client) {
    // The server speaks the newest revision, so negotiation must find it.
    const expected = this.revision ?? newest;
    if (client.revision !== expected) {
      this.ledger.recordFault('wrong revision', `${client.revision} where ${expected} was expected`);
    }
  }

  /** @param {string | undefined} asked */
  #userAnswer(asked) {
    const number = Number(inputMessage.exec(asked ?? '')?.[1]);
    // The call may have ended, but the request must belong to one of this caller's calls.
    if (!this.#known.has(number)) this.ledger.recordFault('input request of another call', String(asked));
    return userAnswerTo(number);
  }

  /**
   * @param {number} number
   * @param {import('./calls.js').Received} received
   */
  begins(number, received) {
    this.open.set(number, received);
    this.#known.add(number);
  }

  /** @param {{ tick?: number, number?: number, step?: number }} data */
  #receiveLog({ tick, number, step }) {
    if (tick !== undefined) this.#hearTick(tick);
    else if (number !== undefined && step !== undefined) this.open.get(number)?.logs.push(step);
  }

  /** @param {number} tick */
  #hearTick(tick) {
    if (this.#lastTick !== 0 && tick !== this.#lastTick + 1) {
      this.ledger.recordFault('hole in ticks', `${this.revision}: ${tick} after ${this.#lastTick}`);
    }
    this.#lastTick = tick;
    this.ledger.note('ticks received');
  }

  /** @param {import('@tenon/mcp-client').ClientState} state */
  #receiveState(state) {
    // Notifications outside of requests belong to one session.
    this.#lastTick = 0;
    if (state === 'reconnecting') this.ledger.note('connections replaced');
    if (state === 'closed' && this.#opened?.client.state === 'closed')
      this.ledger.note('clients that gave up');
  }

  /** @param {import('@tenon/mcp-client').Change} change */
  #receiveChange(change) {
    this.ledger.note('changes received');
    if (change.kind === 'resources') this.#changes++;
    else if (change.kind === 'gap') this.ledger.note('gaps reported in watches');
    else if (change.kind === 'ended') this.#receiveWatchEnd(change.error);
  }

  /** @param {unknown} error */
  #receiveWatchEnd(error) {
    if (this.#opened === undefined || this.#opened.client.state === 'closed') return;
    this.#watchEnded = true;
    this.ledger.note(`watches ended: ${familyOf(error)}`);
    this.recordUnlessTyped(error, 'watching');
  }
}

const newest = '2026-07-28';
