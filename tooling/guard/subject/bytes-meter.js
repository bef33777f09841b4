import { Allocations } from './allocations.js';
import { liveBytes, youngBytes } from './live-bytes.js';

/**
 * @typedef {{ allocated: number, kept: number }} BytesBatch the bytes of one batch
 *
 * @typedef {object} BytesReport
 * @property {BytesBatch[]} batches
 * @property {Record<string, number>} allocators bytes of the watched batch, by function
 */

/** Measures bytes allocated and bytes kept. A batch must fit into the young generation. */
export class BytesMeter {
  #allocations = new Allocations();
  #live = 0;
  #before = 0;
  /** @type {BytesBatch[]} */
  #batches = [];

  async begin() {
    this.#live = await liveBytes();
    this.#before = youngBytes();
  }

  async take() {
    const allocated = youngBytes() - this.#before;
    const live = await liveBytes();
    this.#batches.push({ allocated, kept: live - this.#live });
    this.#live = live;
    this.#before = youngBytes();
  }

  /** Records the functions that allocate, from now on. */
  watch() {
    this.#allocations.start();
  }

  /** @returns {BytesReport} */
  report() {
    return { batches: this.#batches, allocators: this.#allocations.stop() };
  }
}
