import { MeasuredProcess } from '../processes/measured-process.js';
import { cores } from '../processes/pinning.js';
import { profiling } from '../processes/profiling.js';
import { DrivenServer } from './driven-server.js';
import { entrantsOf, isJudged } from './entrants.js';
import { MeasuredCaller } from './measured-caller.js';
import { sumOf } from './sample.js';
import { within } from './within.js';

/**
 * One entrant at one depth: a sample in each round, or the reason that there is none.
 *
 * @typedef {object} Cell
 * @property {import('../matrix/rows.js').Row} row
 * @property {import('./entrants.js').Entrant} entrant
 * @property {number} depth
 * @property {import('./sample.js').Sample[]} samples
 * @property {string} [error]
 */

/** Milliseconds that a step may take. */
const patience = 30_000;

/** Milliseconds before each turn that are not counted: they reopen connections and refill caches. */
const leadIn = 4;

/**
 * Measures one row: a process for each entrant, all kept warm through all rounds, and measured in turn.
 *
 * @param {import('../matrix/rows.js').Row} row
 * @param {import('./plan.js').Plan} plan
 * @param {(text: string) => void} onProgress
 * @returns {Promise<Cell[]>}
 */
export async function measureRow(row, plan, onProgress) {
  const server = await floorServer(row);
  const runners = entrantsOf(row, plan).map(
    (entrant) => new Runner(row, entrant, { plan, url: server?.url }),
  );
  try {
    onProgress('starting and warming up');
    const time = patience + 3 * plan.warmUp[row.workload].most * runners.length;
    await Promise.all(runners.map((runner) => runner.attempt(() => runner.prepare(), time)));
    for (let round = 0; round < plan.rounds; round++) {
      onProgress(`round ${round + 1} of ${plan.rounds}`);
      await playRound(row, runners, { round, turns: plan.turns });
    }
    for (const runner of runners) await runner.attempt(() => runner.check());
  } finally {
    await Promise.all([...runners, server?.process].map((one) => one?.close()));
  }
  return runners.flatMap((runner) => runner.cells);
}

/**
 * Measures every depth in turn, and at each depth every entrant in several short turns, so that other load on the machine
 * affects all of them. The first entrant changes from turn to turn.
 *
 * @param {import('../matrix/rows.js').Row} row
 * @param {readonly Runner[]} runners
 * @param {{ round: number, turns: number }} which
 */
async function playRound({ depths }, runners, { round, turns }) {
  for (const depth of depths) {
    for (let turn = 0; turn < turns; turn++) {
      const first = (round * turns + turn) % runners.length;
      const order = [...runners.slice(first), ...runners.slice(0, first)];
      for (const runner of order) await runner.attempt(() => runner.sample(depth, round));
    }
  }
}

/**
 * Starts the floor that measured callers call over HTTP, in place of the driver.
 *
 * @param {import('../matrix/rows.js').Row} row
 */
async function floorServer({ over, lifecycle }) {
  if (over !== 'http') return undefined;
  const args = ['floor', 'http', lifecycle, 'few'];
  const process = new MeasuredProcess({ program: 'server.js', args, core: cores.driving });
  const { url } = await within(process.message(), patience, 'the floor to serve');
  return { process, url: String(url) };
}

/** Runs one entrant; its first error removes all its figures. */
class Runner {
  name;
  /** @type {Cell[]} */
  cells;
  #measured;
  #entrant;
  #row;
  #plan;

  /**
   * @param {import('../matrix/rows.js').Row} row
   * @param {import('./entrants.js').Entrant} entrant
   * @param {{ plan: import('./plan.js').Plan, url: string | undefined }} options
   */
  constructor(row, entrant, { plan, url }) {
    this.#row = row;
    this.#entrant = entrant;
    this.#plan = plan;
    this.name = `${entrant.contender}${entrant.node.own ? '' : ` on ${entrant.node.version}`}`;
    this.cells = entrant.depths.map((depth) => ({ row, entrant, depth, samples: [] }));
    const flags = plan.profiles === undefined ? [] : profiling(plan.profiles, `${row.id} ${this.name}`);
    this.#measured =
      row.kind === 'caller'
        ? new MeasuredCaller(row, entrant, { flags, url })
        : new DrivenServer(row, entrant, flags);
  }

  /**
   * @param {() => Promise<void>} step
   * @param {number} [time] milliseconds it may take
   */
  async attempt(step, time = patience) {
    if (this.cells[0]?.error !== undefined) return;
    try {
      await within(step(), time, 'an answer');
    } catch (error) {
      for (const cell of this.cells) cell.error = error instanceof Error ? error.message : String(error);
    }
  }

  /** Opens, warms up and pins. The length is counted in CPU time, because all prepare at the same time. */
  async prepare() {
    const { enough, most } = this.#plan.warmUp[this.#row.workload];
    const { depths } = this.#entrant;
    await this.#measured.open();
    await this.check();
    for (const depth of depths) {
      const sum = { count: 0, cpu: 0 };
      do {
        const { count, cpu } = await this.#measured.sample({ ms: 50, depth });
        sum.count += count;
        sum.cpu += cpu / 1_000;
      } while (sum.count < enough / depths.length && sum.cpu < most / depths.length);
    }
    this.#measured.pin();
  }

  async check() {
    await this.#measured.check();
  }

  /**
   * Runs one turn, and adds it to the sample of the round. A slow entrant needs fewer turns for its share.
   *
   * @param {number} depth
   * @param {number} round
   */
  async sample(depth, round) {
    const cell = this.cells.find((one) => one.depth === depth);
    const share = this.#share();
    const before = cell?.samples[round];
    const isDone = before !== undefined && before.ms >= share.ms && before.count >= share.least;
    if (cell === undefined || isDone) return;
    const { turns } = this.#plan;
    const turn = { ms: share.ms / turns, least: Math.ceil(share.least / turns), depth };
    await this.#measured.sample({ ms: leadIn, depth });
    cell.samples[round] = sumOf(before, await this.#measured.sample(turn));
  }

  /** The total of all turns of a round, at each depth. The host is judged by a difference that is smaller than those between slices. */
  #share() {
    const { ms, peerMs, least } = this.#plan;
    const { contender } = this.#entrant;
    const own = isJudged(contender) ? ms : peerMs;
    return { ms: contender === 'tenon-host' ? 4 * own : own, least: least[this.#row.workload] };
  }

  async close() {
    await this.#measured.close().catch(() => {});
  }
}
