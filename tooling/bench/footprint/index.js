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
 * @property {boolean} full true for more and longer runs, and installs from the registry
 * @property {string} [only] rows with this text in their id or title
 * @property {(text: string) => void} onProgress
 */

/** In sequence: timed parts need the machine for themselves, and counting parts use all of it. */
const parts = [idleSessions, keptHeap, startUp, bundle, packages];

/**
 * Measures everything except requests per second: memory, start-up, bundles and packages.
 *
 * @param {FootprintWish} wish
 * @returns {Promise<FootprintResult[]>} one for each row and contender; a failed one has an `error`
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
