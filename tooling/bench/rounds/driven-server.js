import { HttpDriver } from '../drivers/http-driver.js';
import { StdioDriver } from '../drivers/stdio-driver.js';
import { workloads } from '../matrix/wires.js';
import { MeasuredProcess } from '../processes/measured-process.js';
import { cores } from '../processes/pinning.js';

/**
 * What was done in one sample, and what it took of the measured process.
 *
 * @typedef {object} Sample
 * @property {number} count requests
 * @property {number} cpu microseconds
 * @property {number} ms
 *
 * @typedef {object} Measured somebody who is measured
 * @property {() => Promise<void>} open makes it ready for the first request
 * @property {() => Promise<void>} check throws when an answer is wrong
 * @property {() => void} pin keeps it on the core that is measured; before that it may use all, which makes it warm sooner
 * @property {(length: import('../drivers/http-driver.js').Length) => Promise<Sample>} sample
 * @property {() => Promise<void>} close
 */

/**
 * A server in a process of its own, asked by a driver in this one.
 *
 * @implements {Measured}
 */
export class DrivenServer {
  #row;
  #validates;
  #process;
  /** @type {HttpDriver | StdioDriver | undefined} */
  #driver;

  /**
   * @param {import('../matrix/rows.js').Row} row
   * @param {import('./entrants.js').Entrant} entrant
   * @param {readonly string[]} flags for Node
   */
  constructor(row, { contender, node }, flags) {
    const carrier = row.kind === 'http-server' ? 'http' : 'stdio';
    const { catalogue } = workloads[row.workload];
    this.#row = row;
    this.#validates = contender !== 'floor';
    this.#process = new MeasuredProcess({
      program: 'server.js',
      args: [contender, carrier, row.lifecycle, catalogue, row.workload],
      node: node.path,
      flags,
    });
  }

  async open() {
    const { url } = await this.#process.message();
    this.#driver =
      this.#row.kind === 'http-server'
        ? new HttpDriver(url, this.#row)
        : new StdioDriver(this.#process, this.#row);
    await this.#driver.open();
  }

  async check() {
    await this.#opened.check({ validates: this.#validates });
  }

  pin() {
    this.#process.pin(cores.measured);
  }

  /** @param {import('../drivers/http-driver.js').Length} length */
  async sample(length) {
    const before = await this.#process.cpu();
    const driven = await this.#opened.run(length);
    return { ...driven, cpu: (await this.#process.cpu()) - before };
  }

  async close() {
    try {
      await this.#driver?.close();
    } finally {
      await this.#process.close();
    }
  }

  get #opened() {
    if (this.#driver === undefined) throw new Error('not opened');
    return this.#driver;
  }
}
