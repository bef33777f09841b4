/**
 * The work of one sample, and its CPU time.
 *
 * @typedef {object} Sample
 * @property {number} count requests
 * @property {number} cpu microseconds
 * @property {number} ms
 * @property {Sample} [beside] that of the caller that was measured in turn, in the same process
 */

/**
 * @param {Sample | undefined} sum
 * @param {Sample} sample
 * @returns {Sample}
 */
export function sumOf(sum, sample) {
  if (sum === undefined) return sample;
  const { count, cpu, ms, beside } = sample;
  return {
    count: sum.count + count,
    cpu: sum.cpu + cpu,
    ms: sum.ms + ms,
    ...(beside && { beside: sumOf(sum.beside, beside) }),
  };
}
