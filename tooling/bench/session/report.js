import { wires } from './call.js';

/** @typedef {import('./measure.js').Cell} Cell */

/**
 * One cell against its floor, over the rounds.
 *
 * @typedef {object} Result
 * @property {string} section
 * @property {string} label
 * @property {string} revision
 * @property {number} depth
 * @property {string} [error]
 * @property {number} [ratio] median
 * @property {[low: number, high: number]} [spread]
 * @property {number} [target]
 * @property {boolean} [met]
 */

/**
 * @param {readonly Cell[]} cells
 * @param {boolean} judged compares with the targets
 * @returns {Result[]}
 */
export function resultsOf(cells, judged) {
  return cells.map((cell) => {
    const { section, row, depth, error } = cell;
    const base = { section: section.title, label: row.label, revision: wires[row.lifecycle].revision, depth };
    if (error !== undefined) return { ...base, error };
    const floor = cells.find(
      (one) =>
        one.section === section &&
        one.depth === depth &&
        one.row.name === row.floor &&
        one.row.lifecycle === row.lifecycle,
    );
    if (floor === undefined || floor.error !== undefined)
      return { ...base, error: 'its floor was not measured' };
    const ratios = cell.costs.map((cost, round) => cost / /** @type {number} */ (floor.costs[round]));
    ratios.sort((a, b) => a - b);
    const ratio = median(ratios);
    const { target } = row;
    return {
      ...base,
      ratio,
      spread: [/** @type {number} */ (ratios[0]), /** @type {number} */ (ratios.at(-1))],
      ...(target !== undefined && { target, ...(judged && { met: ratio <= target }) }),
    };
  });
}

/** @param {readonly number[]} sorted */
function median(sorted) {
  const middle = sorted.length >> 1;
  const upper = /** @type {number} */ (sorted[middle]);
  return sorted.length % 2 === 1 ? upper : (upper + /** @type {number} */ (sorted[middle - 1])) / 2;
}

/**
 * The results as tables of text.
 *
 * @param {readonly import('./rows.js').Section[]} sections
 * @param {readonly Result[]} results
 * @param {{ good: (text: string) => string, bad: (text: string) => string, dim: (text: string) => string }} paint
 */
export function tables(sections, results, paint) {
  const lines = [];
  for (const { title, unit, depths } of sections) {
    const own = results.filter((result) => result.section === title);
    lines.push('', `${title}: CPU per call; 1 is ${unit}`);
    const heads =
      depths.length === 1 && depths[0] === 1
        ? ['one at a time']
        : depths.map((depth) => `${depth} in flight`);
    lines.push(paint.dim(['', '', ...heads, 'target'].map(pad).join('')));
    for (const first of own.filter((result) => result.depth === depths[0])) {
      const row = own.filter((result) => result.label === first.label && result.revision === first.revision);
      const target = first.target === undefined ? '' : `<= ${first.target}`;
      lines.push(
        [first.label, first.revision].map(pad).join('') +
          row.map((cell) => shown(cell, paint)).join('') +
          target,
      );
    }
    for (const result of own) {
      if (result.error !== undefined)
        lines.push(paint.bad(`  void: ${result.label}, ${result.revision}: ${result.error}`));
    }
  }
  return lines.join('\n');
}

/**
 * @param {Result} result
 * @param {Parameters<typeof tables>[2]} paint
 */
function shown({ error, ratio, spread, met }, paint) {
  if (error !== undefined || ratio === undefined || spread === undefined) return paint.bad(pad('void', 2));
  const range = `(${spread.map((value) => value.toFixed(2)).join('-')})`;
  const text = pad(`${ratio.toFixed(2)} ${range}${met === false ? ' over' : ''}`, 2);
  if (met === undefined) return text;
  return met ? paint.good(text) : paint.bad(text);
}

/**
 * @param {string} text
 * @param {number} column
 */
function pad(text, column) {
  return text.padEnd([34, 12][column] ?? 26);
}
