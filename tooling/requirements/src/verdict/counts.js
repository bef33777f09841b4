import { documents, laterWork, levels } from '../rows/row.js';
import { open } from './verdict.js';

/** @import { Judged } from './verdict.js' */

/**
 * The number of rows by status in one place.
 *
 * @typedef {object} Count
 * @property {string} document
 * @property {string} level
 * @property {Readonly<Record<string, number>>} by the statuses, and `rows` for all of them
 */

/** The statuses there are, in the order of the columns. */
export const statuses = ['shown', ...laterWork, open];

/**
 * Counts rows by document, level and status. A level no row has is left out, a document with no rows as well.
 *
 * @param {readonly Judged[]} rows
 * @returns {Count[]} with one of level `all` after each document, and one of document `all` at the end
 */
export function countsOf(rows) {
  const counts = documents.flatMap((document) => {
    const own = rows.filter((one) => one.document === document);
    return [
      ...levels.map((level) =>
        countOf(
          own.filter(({ row }) => row.level === level),
          document,
          level,
        ),
      ),
      countOf(own, document, 'all'),
    ];
  });
  return [...counts, countOf(rows, 'all', 'all')].filter(({ by }) => by.rows !== 0);
}

/**
 * @param {readonly Judged[]} rows
 * @param {string} document
 * @param {string} level
 * @returns {Count}
 */
function countOf(rows, document, level) {
  const each = statuses.map((status) => [status, rows.filter((one) => one.status === status).length]);
  return { document, level, by: Object.fromEntries([['rows', rows.length], ...each]) };
}

/**
 * Writes counts as a table.
 *
 * @param {readonly Count[]} counts
 * @returns {string}
 */
export function tableOf(counts) {
  const columns = ['rows', ...statuses];
  const lines = [
    ['document', 'level', ...columns],
    ...counts.map(({ document, level, by }) => [document, level, ...columns.map((name) => `${by[name]}`)]),
  ];
  const widths = lines[0]?.map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0))) ?? [];
  return lines
    .map((line) =>
      line
        .map((cell, at) => pad(cell, at, widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/**
 * Text stands to the left, numbers to the right.
 *
 * @param {string} cell
 * @param {number} at
 * @param {number} width
 */
function pad(cell, at, width) {
  return at < 2 ? cell.padEnd(width) : cell.padStart(width);
}
