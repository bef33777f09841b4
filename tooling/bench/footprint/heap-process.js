import { setTimeout as pause } from 'node:timers/promises';
import { MeasuredProcess } from '../processes/measured-process.js';
import { cores } from '../processes/pinning.js';

/** @typedef {import('../matrix/wires.js').Lifecycle} Lifecycle */

/** Bytes between two counts that are taken for the same. */
const still = 4_096;
const attempts = 20;

/** Each of the processes that run side by side has a core; what is counted here is bytes, not time. */
export const heapLanes = [cores.measured, cores.driving];

/**
 * Starts a contender's HTTP server in a process whose heap can be counted, and ends it after the work.
 *
 * @template T
 * @param {{ contender: string, lifecycle: Lifecycle, lane: number }} options
 * @param {(url: string, liveBytes: () => Promise<number>) => Promise<T>} work gets the URL, and what counts the bytes
 *   that the server keeps alive
 * @returns {Promise<T>}
 */
export async function withServer({ contender, lifecycle, lane }, work) {
  const core = heapLanes[lane];
  const server = new MeasuredProcess({
    program: 'server.js',
    args: [contender, 'http', lifecycle, 'few', 'call'],
    flags: ['--expose-gc'],
    ...(core !== undefined && { core }),
  });
  try {
    const { url } = await server.message();
    return await Promise.race([work(url, () => settled(server)), server.ended]);
  } finally {
    await server.close();
  }
}

/**
 * The bytes once they keep still: connections that were closed take a moment to be gone.
 *
 * @param {MeasuredProcess} server
 */
async function settled(server) {
  let last = await server.heap();
  for (let attempt = 0; attempt < attempts; attempt++) {
    await pause(50);
    const bytes = await server.heap();
    if (Math.abs(bytes - last) <= still) return bytes;
    last = bytes;
  }
  return last;
}
