import { laterWork } from '../rows/row.js';

/** @import { Flaw } from '../rows/flaws.js' */
/** @import { Verdict } from './verdict.js' */

/**
 * What must be mended, a line each.
 *
 * @param {readonly Flaw[]} flaws of the rows themselves
 * @param {Verdict} verdict
 * @returns {string[]}
 */
export function complaintsOf(flaws, { rows, strays }) {
  const broken = rows.flatMap(({ row, complaints }) => complaints.map((text) => `${row.id}: ${text}`));
  return [...flaws.map(({ text }) => text), ...broken, ...strays];
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
