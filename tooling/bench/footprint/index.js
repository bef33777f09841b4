import { bundle } from './bundle.js';
import { idleSessions } from './idle-sessions.js';
import { keptHeap } from './kept-heap.js';
import { packages } from './packages.js';
import { failureOf } from './results.js';
import { startUp } from './start-up.js';

/**
 * @typedef {import('./results.js').FootprintResult} FootprintResult
 *
 * @typedef {object} FootprintWish
 * @property {boolean} full more runs, longer ones, and installs from the registry
 * @property {string} [only] rows whose id or title contains this text
 * @property {(text: string) => void} onProgress
 */

/** One after another: what is timed must have the machine for itself, and what is counted uses all of it. */
const parts = [idleSessions, keptHeap, startUp, bundle, packages];

/**
 * Measures what does not depend on requests per second: memory, start-up, bundles and packages.
 *
 * @param {FootprintWish} wish
 * @returns {Promise<FootprintResult[]>} one for each row and contender; what failed has an `error`
 */
export async function measureFootprint({ full, only = '', onProgress }) {
  const text = only.toLowerCase();
  const wants = (/** @type {import('./results.js').FootprintRow} */ { id, title }) =>
    `${id} ${title}`.toLowerCase().includes(text);
  const results = [];
  for (const part of parts) {
    if (!part.rows.some(wants)) continue;
    try {
      results.push(...(await part.measure({ full, wants, onProgress })));
    } catch (error) {
      results.push(...part.rows.filter(wants).map((row) => failureOf(row, { contender: 'tenon' }, error)));
    }
  }
  return results;
}
