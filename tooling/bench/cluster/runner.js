import { setTimeout } from 'node:timers/promises';
import { within } from '../rounds/within.js';
import { ClusterDriver } from './cluster-driver.js';
import { Nodes } from './nodes.js';
import { depth } from './rows.js';

/**
 * The work of one round.
 *
 * @typedef {object} ClusterSample
 * @property {number} count requests
 * @property {number} cpu microseconds of all processes together
 * @property {number} ms
 * @property {number} commands of Redis per request
 * @property {readonly number[]} latencies milliseconds of each request
 *
 * One entrant in one row: a sample in each round, or the reason that there is none.
 *
 * @typedef {object} ClusterCell
 * @property {ClusterRow} row
 * @property {ClusterEntrant} entrant
 * @property {ClusterSample[]} samples
 * @property {string} [error]
 *
 * @typedef {import('./rows.js').ClusterRow} ClusterRow
 * @typedef {import('./entrants.js').ClusterEntrant} ClusterEntrant
 */

/** Milliseconds that a step may take. */
export const patience = 60_000;

/** Requests before each turn that are not counted: they reopen connections and refill caches. */
const leadIn = 2 * depth;

/** Requests of a turn in known sessions and without, however long they take. */
const least = 500;

/** Known sessions that each process opens. They are few, so that the lead-in uses all of them. */
const knownSessions = 4;

/** Milliseconds after which a server may report to the shared state again that a session is in use. */
const touch = 1_000;

/** Runs one entrant in one row; its first error removes all its figures of the row. */
export class ClusterRunner {
  /** @type {ClusterCell} */
  cell;
  #nodes;
  #plan;
  /** @type {readonly Record<string, string>[]} */
  #known = [];
  #lastTurn = 0;
  /** @type {ClusterDriver | undefined} */
  #driver;

  /**
   * @param {ClusterRow} row
   * @param {ClusterEntrant} entrant
   * @param {{ nodes: Nodes, plan: import('../rounds/plan.js').Plan }} options
   */
  constructor(row, entrant, { nodes, plan }) {
    this.cell = { row, entrant, samples: [] };
    this.#nodes = nodes;
    this.#plan = plan;
  }

  /**
   * @param {() => Promise<void>} step
   * @param {number} [time] milliseconds it may take
   */
  async attempt(step, time = patience) {
    if (this.cell.error !== undefined) return;
    try {
      await within(step(), time, 'an answer');
    } catch (error) {
      this.cell.error = error instanceof Error ? error.message : String(error);
    }
  }

  /** Opens connections and sessions, warms up and pins. */
  async prepare() {
    const { row, entrant } = this.cell;
    this.#nodes.unpin();
    this.#driver = new ClusterDriver(this.#nodes.urls, row);
    if (row.sessions !== 'none') {
      const each = this.#isSingle && !this.#opensFirst ? this.#single / entrant.processes : knownSessions;
      this.#known = await this.#nodes.openSessions(each);
      this.#driver.use(this.#known, { everywhere: this.#nodes.shares && !this.#isSingle });
    }
    await this.check();
    const { enough, most } = this.#plan.cluster.warmUp;
    const share = entrant.processes * warmUps(this.#plan) * row.warmUp;
    const sum = { count: 0, cpu: 0 };
    do {
      const { count, cpu } = await this.#drive(await this.#lead({ ms: 50 }));
      sum.count += count;
      sum.cpu += cpu / 1_000;
    } while (sum.count < enough * share && sum.cpu < most * share);
    this.#nodes.pin();
  }

  async check() {
    await this.#opened.check({ validates: this.cell.entrant.contender !== 'floor' });
  }

  /**
   * Runs one turn, and adds it to the sample of the round. Commands are counted in a turn of their own, the first of the round: each count
   * starts a program, and a server that waited for it would do its next requests with cold caches.
   *
   * @param {number} round
   */
  async sample(round) {
    const { row, samples } = this.cell;
    const ms = this.#plan.cluster.ms / turnsOf(row, this.#plan);
    const before = samples[round];
    const commands = before === undefined ? await this.#commandsPerRequest(ms) : before.commands;
    samples[round] = sumOf(before, { ...(await this.#drive(await this.#lead({ ms }))), commands });
  }

  /** @param {number} ms */
  async #commandsPerRequest(ms) {
    const length = await this.#lead({ ms });
    let requests = 0;
    const commands = await this.#nodes.commands(async () => {
      requests = (await this.#opened.run(length)).count;
    });
    return commands / requests;
  }

  async close() {
    await this.#driver?.close();
  }

  /** True if each session of a turn is for a single request. */
  get #isSingle() {
    const { sessions } = this.cell.row;
    return sessions === 'paused' || sessions === 'unknown';
  }

  /** True if another process opens the sessions of each turn. */
  get #opensFirst() {
    return this.cell.row.sessions === 'unknown' && this.#nodes.shares;
  }

  /** Sessions of a turn in which each is for a single request. */
  get #single() {
    return leadIn + this.#plan.cluster.single;
  }

  /**
   * Sends the requests before a turn. Returns the length of the turn.
   *
   * @param {{ ms: number }} length of turns in sessions that the processes know
   * @returns {Promise<import('../drivers/in-flight.js').Length>}
   */
  async #lead({ ms }) {
    if (!this.#isSingle) {
      await this.#opened.run({ ms: 0, least: leadIn, depth });
      return { ms, least, depth };
    }
    this.#opened.use(await this.#sessionsOfTurn(), { everywhere: false });
    await this.#opened.run({ ms: 0, least: leadIn, most: leadIn, depth });
    const { single } = this.#plan.cluster;
    return { ms: 0, least: single, most: single, depth };
  }

  /** Returns sessions for one request each. */
  async #sessionsOfTurn() {
    if (this.#opensFirst) return this.#nodes.openUnknownSessions(this.#single);
    if (this.cell.row.sessions === 'paused') await setTimeout(this.#lastTurn + touch - performance.now());
    return this.#known;
  }

  /** @param {import('../drivers/in-flight.js').Length} length */
  async #drive(length) {
    const before = await this.#nodes.cpu();
    const driven = await this.#opened.run(length);
    this.#lastTurn = performance.now();
    return { ...driven, cpu: (await this.#nodes.cpu()) - before };
  }

  get #opened() {
    if (this.#driver === undefined) throw new Error('The cluster is not open.');
    return this.#driver;
  }
}

/**
 * Returns the turns of each round. Turns of sessions for one request are few, because the sessions are opened before.
 *
 * @param {ClusterRow} row
 * @param {import('../rounds/plan.js').Plan} plan
 */
export function turnsOf({ sessions }, { turns }) {
  return sessions === 'paused' || sessions === 'unknown' ? Math.min(2, turns) : turns;
}

/**
 * Returns how many times the warm-up of the plan is done: more for several rounds, because their figures are compared.
 *
 * @param {import('../rounds/plan.js').Plan} plan
 */
export function warmUps({ rounds }) {
  return rounds === 1 ? 0.5 : Math.min(rounds, 3);
}

/**
 * @param {ClusterSample | undefined} sum
 * @param {ClusterSample} sample
 * @returns {ClusterSample}
 */
function sumOf(sum, sample) {
  if (sum === undefined) return sample;
  return {
    count: sum.count + sample.count,
    cpu: sum.cpu + sample.cpu,
    ms: sum.ms + sample.ms,
    commands: sample.commands,
    latencies: [...sum.latencies, ...sample.latencies],
  };
}
