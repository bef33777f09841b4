import { setTimeout as pause } from 'node:timers/promises';
import { connect } from '@tenon/mcp-client';
import { httpTarget } from '@tenon/mcp-client/http';
import { question, userAnswerTo } from './answers.js';
import { callKinds, oneCall } from './calls.js';
import { familyOf, isExplained, told } from './known-errors.js';
import { watched } from './wire-watch.js';

/** @typedef {import('@tenon/mcp-client').Client} Client */

/**
 * What all callers share.
 *
 * @typedef {object} Surroundings
 * @property {string} url of the proxy
 * @property {import('./ledger.js').Ledger} ledger
 * @property {import('../children/counted-clock.js').CountedClock} clock
 * @property {(error: unknown, where: string) => void} onError
 */

/** The part of callers that begin a new client before a call. */
const restless = 0.02;

/** One program that calls the server in the storm, over one client after another. */
export class Caller {
  /** Numbers of calls that wait for their end, and what was heard of them. @type {Map<number, import('./calls.js').Heard>} */
  open = new Map();
  random;
  ledger;
  /** Undefined for a caller that finds out. */
  revision;
  #around;
  /** @type {Client | undefined} */
  #client;
  #lastTick = 0;
  #told = 0;
  #watchEnded = false;

  /**
   * @param {Surroundings} around
   * @param {string | undefined} revision
   * @param {import('../faults/random.js').Random} random
   */
  constructor(around, revision, random) {
    this.#around = around;
    this.ledger = around.ledger;
    this.revision = revision;
    this.random = random;
  }

  /** Changes of the list of resources it was told of. */
  get changesHeard() {
    return this.#told;
  }

  /** Where it stands, for people. */
  get standing() {
    const { state, revision } = this.#client ?? {};
    return `${this.revision ?? 'finds out'}: ${state}, speaks ${revision}, heard ${this.#told} changes`;
  }

  /**
   * Calls until the time is up, and until every call has ended.
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

  /** Once nothing breaks any more: the caller must still get its answer, or find it out and connect again. */
  async calm() {
    for (let attempt = 0; attempt < 2; attempt++) {
      const client = await this.client();
      if (client !== undefined && (await oneCall(this, client, 'quick'))) return;
      await this.close();
    }
    this.ledger.blame('not alive after the storm', `${this.revision}: ${this.#client?.state}`);
  }

  /** The client; connects if there is none, or the last one is closed. Undefined when that fails. */
  async client() {
    if (this.#client !== undefined && this.#client.state !== 'closed' && !this.#watchEnded)
      return this.#client;
    await this.close();
    try {
      this.#client = await connect(this.#dialer(), this.#options());
      this.#checkRevision(this.#client);
      this.#watchEnded = false;
      await this.#client.watch({ resources: true }, (change) => this.#hearChange(change));
      this.ledger.note('clients opened');
      return this.#client;
    } catch (error) {
      await this.close();
      this.blameUnlessTyped(error, 'connecting');
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
      this.ledger.blame('closing failed', told(error));
    }
  }

  /**
   * @param {unknown} error
   * @param {string} what
   */
  blameUnlessTyped(error, what) {
    if (familyOf(error) === undefined) this.ledger.blame('untyped error', `${what}: ${told(error)}`);
    else if (!isExplained(error)) {
      this.ledger.blame('unexplained error', `${what} (${this.revision}): ${told(error)}`);
    }
  }

  /** Without the name of the server: every client of an open mind is to ask for itself. */
  #dialer() {
    const { url, clock, ledger } = this.#around;
    const { open } = httpTarget(url, { clock, random: this.random.next });
    return { open: async () => watched(await open(), ledger), restartable: true };
  }

  /** @returns {import('@tenon/mcp-client').ClientOptions} */
  #options() {
    const { clock, onError } = this.#around;
    const { revision } = this;
    const answer = (/** @type {string | undefined} */ asked) => this.#userAnswer(asked);
    return {
      // It asks as fast as it can.
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
      onLog: ({ data }) => this.#hearLog(/** @type {any} */ (data)),
      onState: ({ state }) => this.#hearState(state),
    };
  }

  /** @param {Client} client */
  #checkRevision(client) {
    // The server speaks the newest: whoever looks for it must not settle for less.
    const expected = this.revision ?? newest;
    if (client.revision !== expected) {
      this.ledger.blame('wrong revision', `${client.revision} where ${expected} was expected`);
    }
  }

  /** @param {string | undefined} asked */
  #userAnswer(asked) {
    const number = Number(question.exec(asked ?? '')?.[1]);
    // The call may have ended meanwhile, never begun with somebody else.
    if (!this.#mine(number)) this.ledger.blame('question of another call', String(asked));
    return userAnswerTo(number);
  }

  /** Numbers of the last calls, so that what comes late is known. @type {Set<number>} */
  #known = new Set();

  /**
   * @param {number} number
   * @param {import('./calls.js').Heard} heard
   */
  begins(number, heard) {
    this.open.set(number, heard);
    this.#known.add(number);
  }

  /** @param {number} number */
  #mine(number) {
    return this.#known.has(number);
  }

  /** @param {{ tick?: number, number?: number, step?: number }} data */
  #hearLog({ tick, number, step }) {
    if (tick !== undefined) this.#hearTick(tick);
    else if (number !== undefined && step !== undefined) this.open.get(number)?.logs.push(step);
  }

  /** @param {number} tick */
  #hearTick(tick) {
    if (this.#lastTick !== 0 && tick !== this.#lastTick + 1) {
      this.ledger.blame('hole in ticks', `${this.revision}: ${tick} after ${this.#lastTick}`);
    }
    this.#lastTick = tick;
    this.ledger.note('ticks heard');
  }

  /** @param {import('@tenon/mcp-client').ClientState} state */
  #hearState(state) {
    // What is told to nobody in particular belongs to one session.
    this.#lastTick = 0;
    if (state === 'reconnecting') this.ledger.note('sessions replaced');
    if (state === 'closed' && this.#client?.state === 'closed') this.ledger.note('clients that gave up');
  }

  /** @param {import('@tenon/mcp-client').Change} change */
  #hearChange(change) {
    if (change.kind === 'resources') this.#told++;
    else if (change.kind === 'gap') this.ledger.note('gaps in watches told');
    else if (change.kind === 'ended') this.#hearWatchEnd(change.error);
  }

  /** @param {unknown} error */
  #hearWatchEnd(error) {
    if (this.#client === undefined || this.#client.state === 'closed') return;
    this.#watchEnded = true;
    this.ledger.note(`watches ended: ${familyOf(error)}`);
    this.blameUnlessTyped(error, 'watching');
  }
}

const newest = '2026-07-28';
