import { wires } from './call.js';
import { CallerProcess } from './caller-process.js';
import { StdioDriver } from './stdio-driver.js';

/** @typedef {import('./rows.js').Section} Section */
/** @typedef {import('./rows.js').Row} Row */

/**
 * One row at one depth: CPU per call in each round, or why there is none.
 *
 * @typedef {{ section: Section, row: Row, depth: number, costs: number[], error?: string }} Cell
 */

/**
 * @typedef {object} Plan
 * @property {number} rounds
 * @property {number} ms that each cell is measured for in a round
 * @property {number} warmUpMs
 * @property {string} [profiles] the folder that CPU profiles go to
 * @property {(text: string) => void} onRound
 */

/**
 * Measures all cells, round by round, each round all of them in turn.
 *
 * @param {readonly Section[]} sections
 * @param {Plan} plan
 * @returns {Promise<Cell[]>}
 */
export async function measure(sections, plan) {
  /** @type {Cell[]} */
  const cells = [];
  for (const section of sections) {
    plan.onRound(section.title);
    cells.push(...(await measureSection(section, plan)));
  }
  return cells;
}

/**
 * @param {Section} section
 * @param {Plan} plan
 */
async function measureSection(section, plan) {
  const runners = section.rows.map((row) => new Runner(section, row, plan));
  try {
    for (const runner of runners) await runner.attempt(() => runner.open(plan.warmUpMs));
    for (let round = 0; round < plan.rounds; round++) {
      plan.onRound(`${section.title}, round ${round + 1} of ${plan.rounds}`);
      for (const runner of runners) await runner.attempt(() => runner.round(plan.ms));
    }
    for (const runner of runners) await runner.attempt(() => runner.check());
  } finally {
    await Promise.all(runners.map((runner) => runner.close()));
  }
  return runners.flatMap((runner) => runner.cells);
}

/** Runs one row; the first error voids it. */
class Runner {
  /** @type {Cell[]} */
  cells;
  #row;
  #server;
  #caller;

  /**
   * @param {Section} section
   * @param {Row} row
   * @param {Plan} plan
   */
  constructor(section, row, { profiles }) {
    const { name, lifecycle } = row;
    const flags = profiles === undefined ? [] : profiling(profiles, `${name}-${lifecycle}`);
    this.#row = row;
    this.cells = section.depths.map((depth) => ({ section, row, depth, costs: [] }));
    this.#server = section.kind === 'server' ? new StdioDriver(name, wires[lifecycle], flags) : undefined;
    this.#caller = section.kind === 'caller' ? new CallerProcess(name, lifecycle, flags) : undefined;
  }

  /** @param {() => Promise<void>} step */
  async attempt(step) {
    if (this.cells[0]?.error !== undefined) return;
    try {
      await step();
    } catch (error) {
      for (const cell of this.cells) cell.error = error instanceof Error ? error.message : String(error);
    }
  }

  /** @param {number} ms */
  async open(ms) {
    await this.#server?.open();
    await this.#caller?.open();
    await this.check();
    for (const { depth } of this.cells) await this.#run(ms, depth);
  }

  /** @param {number} ms */
  async round(ms) {
    for (const cell of this.cells) {
      const { count, cpu } = await this.#run(ms, cell.depth);
      cell.costs.push(cpu / count);
    }
  }

  /** A caller checks its answers itself, before and after each run. */
  async check() {
    await this.#server?.check(!this.#row.name.startsWith('floor'));
  }

  async close() {
    await this.#server?.close();
    await this.#caller?.close();
  }

  /**
   * @param {number} ms
   * @param {number} depth
   */
  #run(ms, depth) {
    const source = this.#server ?? this.#caller;
    return /** @type {StdioDriver} */ (source).run(ms, depth);
  }
}

/**
 * @param {string} folder
 * @param {string} name
 */
function profiling(folder, name) {
  return ['--cpu-prof', `--cpu-prof-dir=${folder}`, `--cpu-prof-name=${name}.cpuprofile`];
}
