import { setTimeout as pause } from 'node:timers/promises';
import { MeasuredProcess } from '../processes/measured-process.js';
import { cores } from '../processes/pinning.js';

/** @typedef {import('../matrix/wires.js').Lifecycle} Lifecycle */

/** Two counts that differ by fewer bytes are equal. */
const still = 4_096;
const attempts = 20;

/** One core for each concurrent process; bytes are counted, not time. */
export const heapLanes = [cores.measured, cores.driving];

/**
 * Starts a contender's HTTP server in a process that reports its heap, and ends it after the work.
 *
 * @template T
 * @param {{ contender: string, lifecycle: Lifecycle, lane: number }} options
 * @param {(url: string, liveBytes: () => Promise<number>) => Promise<T>} work receives the URL, and a function that counts the
 *   bytes that the server keeps alive
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
 * Returns the bytes when they are stable: closed connections are freed a moment later.
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
