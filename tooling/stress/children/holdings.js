import process from 'node:process';
import { getHeapCodeStatistics } from 'node:v8';

/**
 * The resources of a process at one moment.
 *
 * @typedef {object} Holdings
 * @property {number} heap bytes of live objects after a forced collection, without compiled code
 * @property {number} rss bytes of memory the process occupies
 * @property {number} sockets
 * @property {Readonly<Record<string, number>>} resources active handles and requests, by kind
 */

/** @returns {Promise<Holdings>} */
export async function holdings() {
  return {
    heap: await liveHeap(),
    rss: process.memoryUsage.rss(),
    sockets: sockets(),
    resources: resources(),
  };
}

/**
 * Returns the bytes of live objects after a few collections with turns of the event loop between them. Compiled code does
 * not count: the engine compiles more of it while it is busy.
 */
export async function liveHeap() {
  const { gc } = globalThis;
  if (gc === undefined) throw new Error('Start this process with --expose-gc.');
  for (let round = 0; round < 4; round++) {
    gc();
    await new Promise((resolve) => setImmediate(resolve));
  }
  const code = getHeapCodeStatistics();
  return process.memoryUsage().heapUsed - code.code_and_metadata_size - code.bytecode_and_metadata_size;
}

/** Returns the open sockets of this process. */
export function sockets() {
  return resources().TCPSocketWrap ?? 0;
}

/** @returns {Readonly<Record<string, number>>} */
function resources() {
  /** @type {Record<string, number>} */
  const counts = {};
  for (const kind of process.getActiveResourcesInfo()) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}
