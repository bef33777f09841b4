import { setTimeout as pause } from 'node:timers/promises';
import { connect } from '@tenon/mcp-client';
import { httpTarget } from '@tenon/mcp-client/http';
import { inputMessage, userAnswerTo } from './answers.js';
import { callKinds, oneCall } from './calls.js';
import { errorText, familyOf, isExplained } from './known-errors.js';
import { watched } from './wire-watch.js';

/** @typedef {import('@tenon/mcp-client').Client} Client */

/**
 * The values that all callers share.
 *
 * @typedef {object} CallerSetup
 * @property {string} url of the proxy
 * @property {import('./ledger.js').Ledger} ledger
 * @property {import('../children/counted-clock.js').CountedClock} clock
 * @property {(error: unknown, where: string) => void} onError
 */

/** The probability that a caller replaces its client before a call. */
const restless = 0.02;

/** A program that calls the server during the storm, with one client after another. */
export class Caller {
  /** Pending calls by number, with the messages received for each. @type {Map<number, import('./calls.js').Received>} */
  open = new Map();
  random;
  ledger;
  /** Undefined for a caller that negotiates. */
  revision;
  #setup;
  /** @type {Client | undefined} */
  #client;
  #lastTick = 0;
  #changes = 0;
  #watchEnded = false;

  /**
   * @param {CallerSetup} setup
   * @param {string | undefined} revision
   * @param {import('../faults/random.js').Random} random
   */
  constructor(setup, revision, random) {
    this.#setup = setup;
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
    const { state, revision } = this.#client ?? {};
    return `${this.revision ?? 'finds out'}: ${state}, speaks ${revision}, received ${this.#changes} changes`;
  }

  /**
   * Calls until the time is over, then waits for every call to end.
   *
   * @param {number} until
   */
  async run(until) {
    await pause(this.random.between(0, 1_000));
    while (performance.now() < until) {
      if (this.random.chance(restless)) await this.close();
      const client = await this.client();
      if (client === undefined) await pause(this.random.between(100, 500));
      else {
        const together = this.random.chance(0.2) ? this.random.whole(2, 4) : 1;
        const calls = Array.from({ length: together }, () =>
          oneCall(this, client, this.random.pick(callKinds)),
        );
        await Promise.all(calls);
        await pause(this.random.between(100, 500));
      }
    }
  }

  /** After the storm: the caller must get its answer, or notice the lost connection and connect again. */
  async calm() {
    for (let attempt = 0; attempt < 2; attempt++) {
      const client = await this.client();
      if (client !== undefined && (await oneCall(this, client, 'quick'))) return;
      await this.close();
    }
    this.ledger.recordFault('not alive after the storm', `${this.revision}: ${this.#client?.state}`);
  }

  /** Returns the client; connects if there is none or the last one is closed. Undefined if that fails. */
  async client() {
    if (this.#client !== undefined && this.#client.state !== 'closed' && !this.#watchEnded)
      return this.#client;
    await this.close();
    try {
      this.#client = await connect(this.#dialer(), this.#options());
      this.#checkRevision(this.#client);
      this.#watchEnded = false;
      await this.#client.watch({ resources: true }, (change) => this.#receiveChange(change));
      this.ledger.note('clients opened');
      return this.#client;
    } catch (error) {
      await this.close();
      this.recordUnlessTyped(error, 'connecting');
      this.ledger.note(`not connected: ${familyOf(error)}`);
      return undefined;
    }
  }

  async close() {
    const client = this.#client;
    this.#client = undefined;
    try {
      await client?.close();
    } catch (error) {
      this.ledger.recordFault('closing failed', errorText(error));
    }
  }

  /**
   * @param {unknown} error
   * @param {string} what
   */
  recordUnlessTyped(error, what) {
    if (familyOf(error) === undefined)
      this.ledger.recordFault('untyped error', `${what}: ${errorText(error)}`);
    else if (!isExplained(error)) {
      this.ledger.recordFault('unexplained error', `${what} (${this.revision}): ${errorText(error)}`);
    }
  }

  /** Without the server's name: each negotiating client must send its own probe. */
  #dialer() {
    const { url, clock, ledger } = this.#setup;
    const { open } = httpTarget(url, { clock, random: this.random.next });
    return { open: async () => watched(await open(), ledger), restartable: true };
  }

  /** @returns {import('@tenon/mcp-client').ClientOptions} */
  #options() {
    const { clock, onError } = this.#setup;
    const { revision } = this;
    const answer = (/** @type {string | undefined} */ asked) => this.#userAnswer(asked);
    return {
      // It calls as fast as it can.
      rates: false,
      info: { name: 'caller', version: '1.0.0' },
      ...(revision !== undefined && { revision }),
      clock,
      random: this.random.next,
      onError,
      logLevel: 'info',
      limits: { requestTimeout: 12_000 },
      reconnect: { delay: 100, maxDelay: 2_000, attempts: 8 },
      onElicit: ({ message }) => ({ action: 'accept', content: { value: answer(message) } }),
      onSample: ({ messages }) => {
        const text = String(answer(/** @type {any} */ (messages[0])?.content.text));
        return { model: 'user', role: 'assistant', content: { type: 'text', text } };
      },
      onLog: ({ data }) => this.#receiveLog(/** @type {any} */ (data)),
      onState: ({ state }) => this.#receiveState(state),
    };
  }

  /** @param {Client} client */
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
    if (!this.#mine(number)) this.ledger.recordFault('input request of another call', String(asked));
    return userAnswerTo(number);
  }

  /** Numbers of the last calls, so that late messages can be assigned. @type {Set<number>} */
  #known = new Set();

  /**
   * @param {number} number
   * @param {import('./calls.js').Received} received
   */
  begins(number, received) {
    this.open.set(number, received);
    this.#known.add(number);
  }

  /** @param {number} number */
  #mine(number) {
    return this.#known.has(number);
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
    if (state === 'reconnecting') this.ledger.note('sessions replaced');
    if (state === 'closed' && this.#client?.state === 'closed') this.ledger.note('clients that gave up');
  }

  /** @param {import('@tenon/mcp-client').Change} change */
  #receiveChange(change) {
    if (change.kind === 'resources') this.#changes++;
    else if (change.kind === 'gap') this.ledger.note('gaps reported in watches');
    else if (change.kind === 'ended') this.#receiveWatchEnd(change.error);
  }

  /** @param {unknown} error */
  #receiveWatchEnd(error) {
    if (this.#client === undefined || this.#client.state === 'closed') return;
    this.#watchEnded = true;
    this.ledger.note(`watches ended: ${familyOf(error)}`);
    this.recordUnlessTyped(error, 'watching');
  }
}

const newest = '2026-07-28';
