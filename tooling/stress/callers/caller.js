import { setTimeout as pause } from 'node:timers/promises';
import { callerUri } from '../nodes/cluster-server.js';
import { cutPath } from '../proxy/round-robin-proxy.js';
import { inputMessage, userAnswerTo } from '../storm/findings/answers.js';
import { errorText } from '../storm/findings/known-errors.js';
import { openOfficial } from './official.js';
import { runScenario, scenariosOf } from './scenarios.js';
import { endOf } from './task-calls.js';
import { openTenon } from './tenon.js';

/** The probability that a caller opens another client before a scenario. */
const restless = 0.03;

/**
 * The values that all callers of a process share.
 *
 * @typedef {object} CallerSetup
 * @property {string} url of the proxy
 * @property {import('./cluster-ledger.js').ClusterLedger} ledger
 * @property {readonly string[]} only the scenarios to run; empty for all
 * @property {(error: unknown, where: string) => void} onError
 */

/** A program that calls the cluster with one client, or with one client after another. */
export class Caller {
  /** Messages received for pending calls, by number. @type {Map<number, import('./scenarios.js').Received>} */
  open = new Map();
  /** False while the log level of its session is not certain. */
  isLogging = true;
  /** Tasks with calls that failed. @type {import('./task-calls.js').LeftTask[]} */
  left = [];
  /** The number of updates of its resource. */
  updates = 0;
  ledger;
  clientKind;
  name;
  random;
  /** The principal; undefined for an anonymous caller. */
  principal;
  #setup;
  #resident;
  #isClosing = false;
  /** @type {import('./connected-client.js').ConnectedClient | undefined} */
  #connected;
  /** Numbers of all calls, because an input request may arrive late. @type {Set<number>} */
  #known = new Set();
  #wake = () => {};
  /** The time at which its client gave up a stream. */
  gaveUpAt = 0;

  /**
   * @param {CallerSetup} setup
   * @param {import('./client-kinds.js').ClientKind} clientKind
   * @param {{ index: number, random: import('../faults/random.js').Random }} own
   */
  constructor(setup, clientKind, { index, random }) {
    this.#setup = setup;
    this.ledger = setup.ledger;
    this.clientKind = clientKind;
    this.random = random;
    this.name = `caller-${clientKind.side}-${index}`;
    this.principal = index % 2 === 0 ? undefined : `principal-${clientKind.side}-${index}`;
    // Every other round of the kinds of clients has residents only.
    this.#resident = Math.floor(index / 4) % 2 === 0;
  }

  /** The URL of the proxy. */
  get url() {
    return this.#setup.url;
  }

  get uri() {
    return callerUri + this.name;
  }

  /**
   * Calls until the time is over, then waits for every call to end.
   *
   * @param {number} until
   */
  async run(until) {
    const weights = scenariosOf(this, this.#setup.only);
    if (Object.keys(weights).length === 0) return;
    while (performance.now() < until) {
      await pause(this.random.between(100, 600));
      if (!this.#resident && this.random.chance(restless)) await this.close();
      const connected = await this.connected();
      if (connected !== undefined) await runScenario(this, connected, this.random.pick(weights));
    }
  }

  /** After the storm: its session must work, and its watch must receive an update. */
  async calm() {
    await Promise.all(this.left.splice(0).map((task) => this.#endOf(task)));
    for (let attempt = 0; attempt < 3; attempt++) {
      const connected = await this.connected();
      if (
        connected !== undefined &&
        (await runScenario(this, connected, 'quick')) &&
        (await this.#updated(connected))
      )
        return;
      this.ledger.note(`attempts to recover after the storm: ${this.clientKind.side}`);
      // Our client recovers by itself; the official one may have given up its stream.
      if (this.clientKind.side === 'official') await this.close();
    }
    this.ledger.recordFault('not alive after the storm', `${this.name}, ${this.clientKind.name}`);
  }

  /** Returns the client; connects if there is none. Undefined if that fails. */
  async connected() {
    if (this.#connected !== undefined) return this.#connected;
    const from = Date.now();
    try {
      const open = this.clientKind.side === 'tenon' ? openTenon : openOfficial;
      this.#isClosing = false;
      this.#connected = await open(this.#clientSetup());
      this.isLogging = true;
      this.ledger.note('clients opened');
      if (this.#resident) this.ledger.residents.opened++;
      return this.#connected;
    } catch (error) {
      const problem = errorText(error);
      this.ledger.fails({
        number: 0,
        kind: 'connect',
        clientKind: this.clientKind.name,
        problem,
        from,
        to: Date.now(),
      });
      return undefined;
    }
  }

  async close() {
    const connected = this.#connected;
    this.#connected = undefined;
    this.#isClosing = true;
    try {
      await connected?.close();
    } catch (error) {
      this.ledger.note(`closing failed: ${this.clientKind.side}, ${errorText(error).slice(0, 100)}`);
    }
  }

  /**
   * @param {string} kind
   * @returns {number} of the new call
   */
  begins(kind) {
    const number = this.ledger.number(kind);
    this.open.set(number, { progress: [], logs: [] });
    this.#known.add(number);
    return number;
  }

  /**
   * Returns the messages received for a call that has ended.
   *
   * @param {number} number
   * @returns {import('./scenarios.js').Received}
   */
  ends(number) {
    const received = this.open.get(number) ?? { progress: [], logs: [] };
    this.open.delete(number);
    return received;
  }

  /** Has the proxy cut the event streams of this caller. */
  async cutStreams() {
    await fetch(new URL(cutPath, this.#setup.url), { headers: { 'x-caller': this.name } });
  }

  /**
   * Resolves with true at the next update of its resource, and with false when the time is over.
   *
   * @param {number} before the number of updates before
   * @param {number} ms
   */
  async nextUpdate(before, ms) {
    const late = AbortSignal.timeout(ms);
    while (this.updates <= before && !late.aborted) {
      await new Promise((resolve) => {
        this.#wake = () => resolve(undefined);
        late.addEventListener('abort', this.#wake, { once: true });
      });
    }
    return this.updates > before;
  }

  /**
   * The session of this caller was lost.
   *
   * @param {unknown} error
   */
  loseSession(error) {
    if (this.#isClosing) return;
    this.ledger.note(`sessions replaced: ${this.clientKind.name}`);
    if (this.#resident) this.ledger.residents.lost++;
    // A stream of HTTP+SSE ends with its node, and so does the session.
    if (this.clientKind.sessions && this.clientKind.transport === 'http')
      this.ledger.recordFault('session lost', `${this.name}, ${this.clientKind.name}: ${errorText(error)}`);
  }

  /**
   * A task goes on though its call has failed, and ends.
   *
   * @param {import('./task-calls.js').LeftTask} task
   */
  async #endOf(task) {
    const problem = await endOf(await this.connected(), task);
    this.ledger.note(`tasks of failed calls: ${problem === undefined ? 'ended' : 'not ended'}`);
    if (problem !== undefined)
      this.ledger.recordFault(
        'task without an end',
        `number ${task.number}, ${this.clientKind.name}: ${problem}`,
      );
  }

  /** @param {import('./connected-client.js').ConnectedClient} connected */
  async #updated(connected) {
    return runScenario(this, connected, 'update');
  }

  /** @returns {import('./connected-client.js').ClientSetup} */
  #clientSetup() {
    const { url, onError } = this.#setup;
    return {
      ...{
        url,
        onError,
        clientKind: this.clientKind,
        name: this.name,
        uri: this.uri,
        random: this.random,
        ledger: this.ledger,
      },
      headers: {
        'x-caller': this.name,
        ...(this.principal !== undefined && { authorization: `Bearer ${this.principal}` }),
      },
      onAsk: (message) => this.#answer(message),
      onLog: (data) => this.#receiveLog(/** @type {any} */ (data)),
      onUpdated: (uri) => this.#receiveUpdate(uri),
      onTask: (task, reference) => this.#receiveTask(task, reference),
      onReplaced: (error) => this.loseSession(error),
      onGaveUp: () => {
        this.gaveUpAt = Date.now();
      },
    };
  }

  /** @param {string | undefined} message */
  #answer(message) {
    const number = Number(inputMessage.exec(message ?? '')?.[1]);
    if (!this.#known.has(number))
      this.ledger.recordFault('input request of another call', `${this.name}: ${message}`);
    return userAnswerTo(number);
  }

  /** @param {{ number: number, step: number }} data */
  #receiveLog({ number, step }) {
    if (!this.#known.has(number)) this.ledger.recordFault('log of another call', `${this.name}: ${number}`);
    this.open.get(number)?.logs.push(step);
  }

  /**
   * @param {import('@tenon/mcp-tasks/client').DetailedTask} task
   * @param {import('@tenon/mcp-tasks/client').TaskReference} reference
   */
  #receiveTask(task, reference) {
    const received = this.open.get(Number(reference.call.arguments?.number));
    if (received === undefined) return;
    received.task = { reference, last: task };
    received.onTask?.();
  }

  /** @param {string} uri */
  #receiveUpdate(uri) {
    if (uri !== this.uri) this.ledger.recordFault('update of another caller', `${this.name}: ${uri}`);
    this.updates++;
    this.#wake();
  }
}
