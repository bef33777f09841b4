// What a server keeps in memory of each request after many: nothing, unless something leaks.

import { HttpDriver } from '../drivers/http-driver.js';
import { contenders } from '../matrix/contenders.js';
import { heapLanes, withServer } from './heap-process.js';
import { inLanes } from './lanes.js';
import { failureOf, resultOf } from './results.js';

/** @typedef {import('./results.js').ContenderName} ContenderName */
/** @typedef {{ name: ContenderName, requests: number }} Run */

/** @type {import('./results.js').FootprintRow} */
const row = { id: 'kept-heap', title: 'Heap kept per request', unit: 'bytes' };
/** Bytes above the floor. */
const allowance = 16;
/** The most requests before the count, in two halves with forced collections between them: they drop what starting took. */
const warmUp = 5_000;
const depth = 64;

/**
 * Requests in the default run: as many as some seconds allow. Those that take longest come first, so that the processes
 * side by side end together.
 *
 * @type {Record<'fastmcp' | 'official-1' | 'official-2' | 'tenon' | 'floor' | 'tmcp' | 'mcp-lite', number>}
 */
const fewest = {
  fastmcp: 5_000,
  'official-1': 5_000,
  'official-2': 5_000,
  tenon: 100_000,
  floor: 100_000,
  tmcp: 10_000,
  'mcp-lite': 10_000,
};
const names = /** @type {(keyof typeof fewest)[]} */ (Object.keys(fewest));

/** @type {import('./results.js').FootprintPart} */
export const keptHeap = {
  rows: [row],
  async measure({ full, onProgress }) {
    const found = await inLanes(names, heapLanes.length, async (name, lane) => {
      const requests = full ? 100_000 : fewest[name];
      onProgress(`${requests.toLocaleString('en')} requests to ${contenders[name].label}`);
      const outcome = await bytesPerRequest({ name, requests }, lane).catch((error) => error);
      return { name, requests, outcome };
    });
    const floor = found.find(({ name }) => name === 'floor')?.outcome;
    return found.map((run) => conclude(run, typeof floor === 'number' ? floor : Number.NaN));
  },
};

/**
 * @param {Run} run
 * @param {number} lane
 * @returns {Promise<number>}
 */
function bytesPerRequest({ name, requests }, lane) {
  const lifecycle = lifecycleOf(name);
  return withServer({ contender: name, lifecycle, lane }, async (url, liveBytes) => {
    const driver = new HttpDriver(url, { lifecycle, workload: 'call' });
    try {
      await driver.open();
      await driver.check({ validates: name !== 'floor' });
      for (let half = 0; half < 2; half++) {
        await driver.run({ ms: 0, least: Math.min(warmUp, requests / 2) / 2, depth });
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
 * @param {Run & { outcome: number | Error }} run
 * @param {number} floor
 */
function conclude({ name, requests, outcome }, floor) {
  const goal = name === 'tenon' ? { target: Math.round(10 * (Math.max(0, floor) + allowance)) / 10 } : {};
  if (typeof outcome !== 'number') return failureOf(row, { contender: name, ...goal }, outcome);
  const note = `after ${requests.toLocaleString('en')}, ${lifecycleOf(name)}`;
  return resultOf(row, { contender: name, value: outcome, ...goal, note });
}
