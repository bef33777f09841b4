import { contenders } from '../matrix/contenders.js';
import { quantilesOf } from '../report/statistics.js';

/** @typedef {import('../matrix/contenders.js').ContenderName} ContenderName */

/**
 * One figure of one contender.
 *
 * @typedef {object} FootprintResult
 * @property {string} id of the row
 * @property {string} title of the row
 * @property {'bytes' | 'ms' | 'packages'} unit
 * @property {'lower'} better
 * @property {ContenderName} contender
 * @property {string} label
 * @property {number} value NaN after an error
 * @property {[low: number, high: number]} [spread]
 * @property {number} [target] the most it may be
 * @property {boolean} [met]
 * @property {Known} [known] the recorded reason if the target is missed
 * @property {string} [error]
 * @property {string} [note]
 *
 * @typedef {{ page: string, most: number }} Known the page with the reason, and the most that the reason covers
 *
 * @typedef {Pick<FootprintResult, 'id' | 'title' | 'unit'>} FootprintRow
 *
 * One or more rows that are measured together.
 *
 * @typedef {object} FootprintPart
 * @property {readonly FootprintRow[]} rows
 * @property {(wish: Wish) => Promise<FootprintResult[]>} measure
 *
 * @typedef {object} Wish
 * @property {boolean} full
 * @property {(row: FootprintRow) => boolean} wants
 * @property {(text: string) => void} onProgress
 *
 * @typedef {object} Figure
 * @property {ContenderName} contender
 * @property {string} [label] default: the contender's
 * @property {number} value
 * @property {[low: number, high: number]} [spread]
 * @property {number} [target]
 * @property {Known} [known]
 * @property {string} [note]
 */

/**
 * @param {FootprintRow} row
 * @param {Figure} figure
 * @returns {FootprintResult}
 */
export function resultOf({ id, title, unit }, { contender, label = contenders[contender].label, ...figure }) {
  const met = figure.target === undefined ? {} : { met: figure.value <= figure.target };
  return { id, title, unit, better: 'lower', contender, label, ...figure, ...met };
}

/**
 * Returns the result of a contender that could not be measured; its target is missed.
 *
 * @param {FootprintRow} row
 * @param {Omit<Figure, 'value'>} figure
 * @param {unknown} error
 * @returns {FootprintResult}
 */
export function failureOf(row, figure, error) {
  const text = error instanceof Error ? error.message : String(error);
  return { ...resultOf(row, { ...figure, value: Number.NaN }), error: text };
}

/**
 * @param {readonly number[]} values at least one
 * @returns {{ low: number, median: number, high: number }} the median and the quartiles around it
 */
export function quartiles(values) {
  const [low = 0, median = 0, high = 0] = quantilesOf(values, [0.25, 0.5, 0.75]);
  return { low, median, high };
}
