/**
 * A figure over all rounds.
 *
 * @typedef {object} Figure
 * @property {number} median
 * @property {number} low the lowest of a round
 * @property {number} high the highest of a round
 */

/**
 * Returns the values below which shares of all values lie, interpolated between two values.
 *
 * @param {readonly number[]} values at least one
 * @param {readonly number[]} shares from 0 to 1
 */
export function quantilesOf(values, shares) {
  const sorted = Float64Array.from(values).sort();
  return shares.map((share) => {
    const place = share * (sorted.length - 1);
    const below = /** @type {number} */ (sorted[Math.floor(place)]);
    const above = /** @type {number} */ (sorted[Math.ceil(place)]);
    return below + (above - below) * (place - Math.floor(place));
  });
}

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
