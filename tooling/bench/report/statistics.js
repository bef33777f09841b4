/**
 * A figure over all rounds.
 *
 * @typedef {object} Figure
 * @property {number} median
 * @property {number} low the lowest of a round
 * @property {number} high the highest of a round
 */

/**
 * @param {readonly number[]} values one per round; at least one
 * @returns {Figure}
 */
export function figureOf(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (/** @type {number} */ index) => /** @type {number} */ (sorted[index]);
  const middle = sorted.length >> 1;
  const median = sorted.length % 2 === 1 ? at(middle) : (at(middle - 1) + at(middle)) / 2;
  return { median, low: at(0), high: at(sorted.length - 1) };
}
