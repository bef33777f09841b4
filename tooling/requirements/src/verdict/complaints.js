import { laterWork } from '../rows/row.js';

/** @import { RowProblem } from '../rows/problems.js' */
/** @import { Verdict } from './verdict.js' */

/**
 * Lists everything to fix, a line each.
 *
 * @param {readonly RowProblem[]} problems of the rows themselves
 * @param {Verdict} verdict
 * @returns {string[]}
 */
export function complaintsOf(problems, { rows, strays }) {
  const broken = rows.flatMap(({ row, complaints }) => complaints.map((text) => `${row.id}: ${text}`));
  return [...problems.map(({ text }) => text), ...broken, ...strays];
}

/**
 * The rows that later work will show, under the work.
 *
 * @param {Verdict} verdict
 * @returns {string}
 */
export function laterList({ rows }) {
  return laterWork
    .map((work) => {
      const own = rows.filter(({ status }) => status === work);
      return [`${work}: ${own.length}`, ...own.map(({ row }) => `  ${row.id}: ${row.sentence}`)].join('\n');
    })
    .join('\n');
}
