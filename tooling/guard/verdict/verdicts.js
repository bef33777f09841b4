import { counts } from './counts.js';

/**
 * @typedef {import('./counts.js').Count} Count
 * @typedef {import('./figures.js').Figures} Figures
 *
 * @typedef {object} Budgets
 * @property {string} node the version of Node they were counted on
 * @property {Record<string, Record<string, number>>} runs counts by run, per request
 *
 * @typedef {object} Verdict
 * @property {string} run
 * @property {Count} count
 * @property {number} measured per request
 * @property {number} [budget] absent when there is none yet
 * @property {'held' | 'over' | 'lower' | 'missing' | 'told' | 'other-node'} verdict
 */

/**
 * Judges what was measured of a run.
 *
 * @param {string} run
 * @param {Figures} figures
 * @param {{ budgets: Budgets, node: string }} against `node` is the version that was measured on
 * @returns {Verdict[]}
 */
export function verdictsOf(run, figures, { budgets, node }) {
  const isSameMajor = majorOf(budgets.node) === majorOf(node);
  return counts.map((count) => {
    const measured = figures.counts[count.id] ?? 0;
    const budget = budgets.runs[run]?.[count.id];
    const told = { run, count, measured, ...(budget !== undefined && { budget }) };
    if ('told' in count.held) return { ...told, verdict: 'told' };
    if (budget === undefined) return { ...told, verdict: 'missing' };
    if (count.engine === true && !isSameMajor) return { ...told, verdict: 'other-node' };
    return { ...told, verdict: verdictOf(count, measured, budget) };
  });
}

/**
 * The most and the least that a budget takes without a word.
 *
 * @param {Count} count
 * @param {number} budget
 */
export function boundsOf({ held }, budget) {
  if ('equal' in held) return { least: budget - 0.005, most: budget + 0.005 };
  if ('share' in held) {
    const room = (budget * held.share) / 100;
    return { least: budget - room, most: budget + room };
  }
  if ('slack' in held) {
    return { least: Math.min(budget, 0) - held.slack, most: Math.max(budget, 0) + held.slack };
  }
  return { least: Number.NEGATIVE_INFINITY, most: Number.POSITIVE_INFINITY };
}

/**
 * @param {Count} count
 * @param {number} measured
 * @param {number} budget
 */
function verdictOf(count, measured, budget) {
  const { least, most } = boundsOf(count, budget);
  if (measured > most) return 'over';
  return measured < least ? 'lower' : 'held';
}

/** @param {string} version */
function majorOf(version) {
  return version.replace(/^v/, '').split('.')[0];
}
