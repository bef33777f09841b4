import { MeasuredProcess } from '../processes/measured-process.js';
import { cores } from '../processes/pinning.js';
import { sumOf } from './sample.js';

/**
 * A process that calls, and checks its answers itself.
 *
 * @implements {Measured}
 * @typedef {import('./driven-server.js').Measured} Measured
 */
export class MeasuredCaller {
  #process;

  /**
   * @param {import('../matrix/rows.js').Row} row
   * @param {import('./entrants.js').Entrant} entrant
   * @param {{ flags: readonly string[], url?: string | undefined }} options `url` of the floor for calls over HTTP
   */
  constructor({ over = 'memory', lifecycle }, { contender, node }, { flags, url }) {
    this.#process = new MeasuredProcess({
      program: 'caller.js',
      args: [contender, over, lifecycle, ...(url === undefined ? [] : [url])],
      node: node.path,
      flags,
    });
  }

  async open() {
    await this.#process.message();
  }

  /** Does nothing: the process checks each sample itself. */
  async check() {}

  pin() {
    this.#process.pin(cores.measured);
  }

  /**
   * @param {import('../drivers/in-flight.js').Length} length
   * @returns {Promise<import('./sample.js').Sample>}
   */
  async sample({ ms, least = 1, depth }) {
    let sum;
    do {
      sum = sumOf(sum, await this.#process.ask({ run: { ms, depth } }));
    } while (sum.count < least);
    return sum;
  }

  async close() {
    await this.#process.close();
  }
}
