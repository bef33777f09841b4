// The memory that a server keeps per request after many requests: none, unless it leaks.

import { HttpDriver } from '../drivers/http-driver.js';
import { contenders } from '../matrix/contenders.js';
import { heapLanes, withServer } from './heap-process.js';
import { inLanes } from './lanes.js';
import { failureOf, resultOf } from './results.js';

/** @typedef {import('./results.js').ContenderName} ContenderName */

/** @type {import('./results.js').FootprintRow} */
const row = { id: 'kept-heap', title: 'Heap kept per request', unit: 'bytes' };
/** Tolerated bytes above the floor. */
const allowance = 16;
/** Requests before the count, in two halves with forced collections between them, so that memory of the start is freed. */
const warmUp = 5_000;
const depth = 64;
const requests = 100_000;

/**
 * The others take minutes for so many requests, so they are measured only in full runs. The slowest first, so that concurrent
 * processes end together.
 */
const judged = /** @type {const} */ (['tenon', 'floor']);
const everybody = /** @type {const} */ ([
  'fastmcp',
  'official-1',
  'official-2',
  ...judged,
  'tmcp',
  'mcp-lite',
]);

/** @type {import('./results.js').FootprintPart} */
export const keptHeap = {
  rows: [row],
  async measure({ full, onProgress }) {
    const names = full ? everybody : judged;
    const found = await inLanes(names, heapLanes.length, async (name, lane) => {
      onProgress(`${requests.toLocaleString('en')} requests to ${contenders[name].label}`);
      const outcome = await bytesPerRequest(name, lane).catch((error) => error);
      return { name, outcome };
    });
    const floor = found.find(({ name }) => name === 'floor')?.outcome;
    return found.map((run) => conclude(run, typeof floor === 'number' ? floor : Number.NaN));
  },
};

/**
 * @param {ContenderName} name
 * @param {number} lane
 * @returns {Promise<number>}
 */
function bytesPerRequest(name, lane) {
  const lifecycle = lifecycleOf(name);
  return withServer({ contender: name, lifecycle, lane }, async (url, liveBytes) => {
    const driver = new HttpDriver(url, { lifecycle, workload: 'call' });
    try {
      await driver.open();
      await driver.check({ validates: name !== 'floor' });
      for (let half = 0; half < 2; half++) {
        await driver.run({ ms: 0, least: warmUp / 2, depth });
        await liveBytes();
      }
      const before = await liveBytes();
      const { count } = await driver.run({ ms: 0, least: requests, depth });
      const after = await liveBytes();
      await driver.check({ validates: name !== 'floor' });
      return (after - before) / count;
    } finally {
      await driver.close();
    }
  });
}

/** @param {ContenderName} name */
function lifecycleOf(name) {
  return contenders[name].takes['http-server']?.includes('stateless') ? 'stateless' : 'sessionless';
}

/**
 * @param {{ name: ContenderName, outcome: number | Error }} run
 * @param {number} floor
 */
function conclude({ name, outcome }, floor) {
  const goal = name === 'tenon' ? { target: Math.round(10 * (Math.max(0, floor) + allowance)) / 10 } : {};
  if (typeof outcome !== 'number') return failureOf(row, { contender: name, ...goal }, outcome);
  const note = `after ${requests.toLocaleString('en')}, ${lifecycleOf(name)}`;
  return resultOf(row, { contender: name, value: outcome, ...goal, note });
}
