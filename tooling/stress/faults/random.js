/**
 * Random numbers that are the same for the same seed.
 *
 * @typedef {object} Random
 * @property {() => number} next a number from 0 up to 1
 * @property {(low: number, high: number) => number} between a number from low up to high
 * @property {(low: number, high: number) => number} whole a whole number, both ends included
 * @property {(share: number) => boolean} chance true with this probability
 * @property {<T extends string>(weights: Readonly<Record<T, number>>) => T} pick one key, by weight
 */

/**
 * @param {...number} seeds together they choose the sequence
 * @returns {Random}
 */
export function randomOf(...seeds) {
  let state = 0x9e3779b9;
  for (const seed of seeds) state = scramble(state ^ seed);
  // Mulberry32: small, and random enough to spread faults.
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    return (scramble(state) >>> 0) / 2 ** 32;
  };
  const between = (/** @type {number} */ low, /** @type {number} */ high) => low + (high - low) * next();
  return {
    next,
    between,
    whole: (low, high) => Math.floor(between(low, high + 1)),
    chance: (share) => next() < share,
    pick(weights) {
      const entries = /** @type {[any, number][]} */ (Object.entries(weights));
      let left = next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [key, weight] of entries) {
        left -= weight;
        if (left < 0) return key;
      }
      return entries[0]?.[0];
    },
  };
}

/** @param {number} value */
function scramble(value) {
  let mixed = Math.imul(value ^ (value >>> 15), value | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return mixed ^ (mixed >>> 14);
}
