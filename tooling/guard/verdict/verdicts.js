import { counts } from './counts.js';

/**
 * @typedef {import('./counts.js').Count} Count
 * @typedef {import('./figures.js').Figures} Figures
 *
 * @typedef {object} Budgets
 * @property {string} node the version of Node that counted them
 * @property {Record<string, Record<string, number>>} runs counts by run, per request
 *
 * @typedef {object} Verdict
 * @property {string} run
 * @property {Count} count
 * @property {number} measured per request
 * @property {number} [budget] absent without a budget
 * @property {'held' | 'over' | 'lower' | 'missing' | 'reported' | 'other-node'} verdict
 */

/**
 * Compares the figures of a run with its budgets.
 *
 * @param {string} run
 * @param {Figures} figures
 * @param {{ budgets: Budgets, node: string }} against `node` is the version that measured the figures
 * @returns {Verdict[]}
 */
export function verdictsOf(run, figures, { budgets, node }) {
  const isSameMajor = majorOf(budgets.node) === majorOf(node);
  return counts.map((count) => {
    const measured = figures.counts[count.id] ?? 0;
    const budget = budgets.runs[run]?.[count.id];
    const cell = { run, count, measured, ...(budget !== undefined && { budget }) };
    if ('reported' in count.held) return { ...cell, verdict: 'reported' };
    if (budget === undefined) return { ...cell, verdict: 'missing' };
    if (count.engine === true && !isSameMajor) return { ...cell, verdict: 'other-node' };
    return { ...cell, verdict: verdictOf(count, measured, budget) };
  });
}

/**
 * Returns the least and the most that pass for a budget.
 *
 * @param {Count} count
 * @param {number} budget
 */
export function boundsOf({ held }, budget) {
  if ('equal' in held) return { least: budget - 0.005, most: budget + 0.005 };
  if ('slack' in held) {
    const slack = Math.max(held.slack, (budget * (held.share ?? 0)) / 100);
    return { least: Math.min(budget, 0) - slack, most: Math.max(budget, 0) + slack };
  }
  if ('share' in held) {
    const tolerance = (budget * held.share) / 100;
    return { least: budget - tolerance, most: budget + tolerance };
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
