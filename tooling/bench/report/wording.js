/** @typedef {import('./statistics.js').Figure} Figure */

/**
 * Returns a ratio with its significant digits.
 *
 * @param {number} ratio
 */
export function times(ratio) {
  if (ratio >= 100) return ratio.toFixed(0);
  if (ratio >= 10) return ratio.toFixed(1);
  return ratio >= 0.1 ? ratio.toFixed(2) : ratio.toPrecision(2);
}

/** @param {Figure} figure */
export function spread({ low, high }) {
  return `${times(low)}-${times(high)}`;
}

/** @param {Figure} figure */
export function withSpread(figure) {
  return `${times(figure.median)} (${spread(figure)})`;
}

/**
 * Returns the short name of a Node, such as `Node 26`.
 *
 * @param {string} version
 */
export function nodeName(version) {
  return `Node ${version.replace(/^v/, '').split('.')[0]}`;
}

/**
 * Returns a figure of a footprint row with its unit.
 *
 * @param {number} value
 * @param {'bytes' | 'ms' | 'packages'} unit
 */
export function amount(value, unit) {
  if (unit === 'packages') return String(value);
  if (unit === 'ms') return `${value.toFixed(1)} ms`;
  return Math.abs(value) < 4_096 ? `${Math.round(value)} B` : `${(value / 1_024).toFixed(1)} KiB`;
}
