import { HttpDriver } from '../drivers/http-driver.js';
import { StdioDriver } from '../drivers/stdio-driver.js';
import { workloads } from '../matrix/wires.js';
import { MeasuredProcess } from '../processes/measured-process.js';
import { cores } from '../processes/pinning.js';

/**
 * @typedef {import('./sample.js').Sample} Sample
 *
 * @typedef {object} Measured a measured contender
 * @property {() => Promise<void>} open prepares it for the first request
 * @property {() => Promise<void>} check
 * @property {() => void} pin pins it to the measured core; before that it may use all cores, to warm up sooner
 * @property {(length: import('../drivers/in-flight.js').Length) => Promise<Sample>} sample
 * @property {() => Promise<void>} close
 */

/**
 * A server in a process of its own, driven from this process.
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
   * @param {readonly string[]} flags of Node
   */
  constructor(row, { contender, node }, flags) {
    const transport = row.kind === 'http-server' ? 'http' : 'stdio';
    const { catalogue } = workloads[row.workload];
    this.#row = row;
    this.#validates = contender !== 'floor';
    this.#process = new MeasuredProcess({
      program: 'server.js',
      args: [contender, transport, row.lifecycle, catalogue, row.workload],
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

  /** @param {import('../drivers/in-flight.js').Length} length */
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
    if (this.#driver === undefined) throw new Error('The server is not open.');
    return this.#driver;
  }
}
