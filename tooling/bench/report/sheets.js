import { amount, nodeName, times, withSpread } from './wording.js';

/** @typedef {import('./results.js').Result} Result */
/** @typedef {import('../footprint/results.js').FootprintResult} FootprintResult */

/**
 * A table before it is formatted. The first column names a contender.
 *
 * @typedef {object} Sheet
 * @property {string} title
 * @property {string} note
 * @property {string[]} heads
 * @property {SheetCell[][]} lines
 * @property {string[]} voids contenders without a figure, with the reason
 *
 * @typedef {{ text: string, tone?: 'good' | 'bad' }} SheetCell
 */

/**
 * Returns the sheet of one measured row.
 *
 * @param {Pick<import('../matrix/rows.js').Row, 'title' | 'floor'>} row
 * @param {readonly Result[]} results of the row
 * @returns {Sheet}
 */
export function rowSheet({ title, floor }, results) {
  const columns = columnsOf(results);
  const depths = columns.filter(({ ownNode }) => ownNode).map(({ depth }) => depth);
  const names = [...new Set(results.map(({ contender }) => contender))];
  return {
    title,
    note: `CPU per request; 1 is ${floor}. Revision ${results[0]?.revision}.`,
    heads: [
      '',
      ...columns.map(columnName),
      'target',
      `throughput at ${depths.join(' / ')}`,
      "times Tenon's CPU",
    ],
    lines: names.map((name) => {
      const own = results.filter(({ contender }) => contender === name);
      return [
        { text: own[0]?.label ?? name },
        ...columns.map((column) => cpuCell(own.find((result) => isIn(column, result)))),
        { text: targetOf(own) },
        { text: depths.map((depth) => throughputAt(own, depth)).join(' / ') },
        overTenon(own),
      ];
    }),
    voids: voidsOf(results, ({ label, depth, node }) => `${label}, ${depth} in flight, ${nodeName(node)}`),
  };
}

/**
 * Returns the sheet of one row of the footprint.
 *
 * @param {readonly FootprintResult[]} results of the row
 * @returns {Sheet}
 */
export function footprintSheet(results) {
  const notes = new Set(results.map(({ note }) => note ?? ''));
  const [common = ''] = notes.size === 1 ? notes : [];
  return {
    title: results[0]?.title ?? '',
    note: `Lower is better${common === '' ? '' : `; ${common}`}.`,
    heads: ['', 'median', 'spread', 'target', ''],
    lines: results.map(({ label, value, unit, spread, target, met, error, note = '' }) => [
      { text: label },
      error === undefined ? judged(amount(value, unit), met) : { text: 'void', tone: 'bad' },
      { text: spread === undefined ? '' : `${amount(spread[0], unit)} - ${amount(spread[1], unit)}` },
      { text: target === undefined ? '' : `<= ${amount(target, unit)}` },
      { text: note === common ? '' : note },
    ]),
    voids: voidsOf(results, ({ label }) => label),
  };
}

/** @typedef {Pick<Result, 'depth' | 'node' | 'ownNode'>} Column */

/**
 * @param {readonly Result[]} results
 * @returns {Column[]} this Node first, then by depth
 */
function columnsOf(results) {
  /** @type {Column[]} */
  const columns = [];
  for (const result of results) {
    if (!columns.some((column) => isIn(column, result))) columns.push(result);
  }
  return columns.sort((a, b) => Number(b.ownNode) - Number(a.ownNode) || a.depth - b.depth);
}

/**
 * @param {Column} column
 * @param {Result} result
 */
function isIn({ depth, node }, result) {
  return result.depth === depth && result.node === node;
}

/** @param {Column} column */
function columnName({ depth, node, ownNode }) {
  return ownNode ? `${depth} in flight` : `${nodeName(node)}, ${depth}`;
}

/**
 * @param {Result | undefined} result
 * @returns {SheetCell}
 */
function cpuCell(result) {
  if (result === undefined) return { text: '' };
  if (result.cpu === undefined) return { text: 'void', tone: 'bad' };
  if (result.contender === 'floor') return { text: '1' };
  return judged(withSpread(result.cpu), result.met);
}

/**
 * Returns the cell of a figure with a target.
 *
 * @param {string} text
 * @param {boolean | undefined} met undefined without a target
 * @returns {SheetCell}
 */
export function judged(text, met) {
  if (met === undefined) return { text };
  return met ? { text, tone: 'good' } : { text: `${text} over`, tone: 'bad' };
}

/** @param {readonly Result[]} own */
function targetOf(own) {
  const target = own.find((result) => result.target !== undefined)?.target;
  return target === undefined ? '' : `<= ${target}`;
}

/**
 * @param {readonly Result[]} own
 * @param {number} depth
 */
function throughputAt(own, depth) {
  const result = own.find((one) => one.ownNode && one.depth === depth);
  if (result?.throughput === undefined) return '-';
  return result.contender === 'floor' ? '1' : times(result.throughput.median);
}

/**
 * Returns the depth at which a peer comes closest to Tenon.
 *
 * @param {readonly Result[]} own
 * @returns {SheetCell}
 */
function overTenon(own) {
  const figures = own.flatMap(({ ownNode, overTenon }) => (ownNode && overTenon ? [overTenon] : []));
  const [closest] = figures.sort((a, b) => a.median - b.median);
  if (closest === undefined) return { text: '' };
  return { text: withSpread(closest), ...(closest.median < 1 && { tone: /** @type {const} */ ('bad') }) };
}

/**
 * Returns the reasons of results without a figure.
 *
 * @template {{ error?: string }} T
 * @param {readonly T[]} results
 * @param {(result: T) => string} name
 */
export function voidsOf(results, name) {
  return results.flatMap((result) =>
    result.error === undefined ? [] : [`${name(result)}: ${result.error}`],
  );
}
