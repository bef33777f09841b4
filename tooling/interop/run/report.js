import { inspect } from 'node:util';
import { sections } from './columns.js';
import { callsOf } from './suites.js';

/** @typedef {import('./matrix.js').Filled} Filled */
/** @typedef {import('./cells.js').Cell} Cell */
/** @typedef {{ good: (text: string) => string, bad: (text: string) => string, dim: (text: string) => string }} Paint */

/**
 * Returns the number of cells in each state.
 *
 * @param {readonly Filled[]} filled
 */
export function count(filled) {
  const counts = { ok: 0, red: 0, 'n/a': 0, blank: 0 };
  for (const { cells } of filled) for (const { state } of cells.values()) counts[state]++;
  return counts;
}

/**
 * Returns one table for each pair of frameworks and transport, each followed by the details.
 *
 * @param {readonly Filled[]} filled
 * @param {Paint} paint
 */
export function tables(filled, paint) {
  const lines = [];
  for (const { title, columns } of sections) {
    const own = filled.filter(({ column }) => columns.includes(column));
    if (own[0] === undefined) continue;
    const calls = callsOf(own[0].column).map((call) => call.name);
    const first = Math.max(...calls.map((call) => call.length)) + 2;
    const widths = own.map(({ column }) => Math.max(column.heading.length, 5) + 2);
    lines.push(
      '',
      title,
      paint.dim(''.padEnd(first) + own.map((one, n) => one.column.heading.padEnd(widths[n] ?? 0)).join('')),
    );
    for (const call of calls) {
      const cells = own.map(({ cells }, n) => shown(cells.get(call), widths[n] ?? 0, paint));
      lines.push(call.padEnd(first) + cells.join(''));
    }
    lines.push(...reasons(own, paint), ...troubles(own, paint));
  }
  return lines.map((line) => line.trimEnd()).join('\n');
}

/**
 * Returns the number of cells in each state for all pairs.
 *
 * @param {readonly Filled[]} filled
 * @param {Paint} paint
 */
export function pairs(filled, paint) {
  const widest = Math.max(...sections.map(({ title }) => title.length)) + 2;
  const heads = ['columns', 'right', 'red', 'blank', 'n/a'];
  const row = (/** @type {string} */ title, /** @type {readonly unknown[]} */ cells) =>
    title.padEnd(widest) + cells.map((cell) => String(cell).padStart(9)).join('');
  const lines = sections.flatMap(({ title, columns }) => {
    const own = filled.filter(({ column }) => columns.includes(column));
    if (own.length === 0) return [];
    const { ok, red, blank, 'n/a': left } = count(own);
    const line = row(title, [own.length, ok, red, blank, left]);
    return [red + blank > 0 ? paint.bad(line) : line];
  });
  return [paint.dim(row('', heads)), ...lines].join('\n');
}

/**
 * @param {Cell | undefined} cell
 * @param {number} width
 * @param {Paint} paint
 */
function shown(cell, width, paint) {
  const state = cell?.state ?? 'blank';
  const text = (state === 'red' ? 'RED' : state).padEnd(width);
  if (state === 'ok') return paint.good(text);
  return state === 'n/a' ? paint.dim(text) : paint.bad(text);
}

/**
 * Returns the reasons for cells that are not applicable, each once.
 *
 * @param {readonly Filled[]} filled
 * @param {Paint} paint
 */
function reasons(filled, paint) {
  /** @type {Map<string, Set<string>>} */
  const calls = new Map();
  for (const { cells } of filled) {
    for (const [call, cell] of cells) {
      if (cell.state !== 'n/a') continue;
      calls.set(cell.reason, (calls.get(cell.reason) ?? new Set()).add(call));
    }
  }
  return [...calls].map(([reason, names]) => paint.dim(`  n/a: ${reason} (${[...names].join(', ')})`));
}

/**
 * @param {readonly Filled[]} filled
 * @param {Paint} paint
 */
function troubles(filled, paint) {
  const lines = [];
  for (const { column, cells, trouble } of filled) {
    if (trouble !== undefined) lines.push(paint.bad(`  ${column.id}: ${trouble.trim()}`));
    for (const [call, cell] of cells) {
      if (cell.state !== 'red') continue;
      lines.push(
        paint.bad(`  ${column.id}: ${call}`),
        `    expected ${valueText(cell.expected)}`,
        `    got      ${valueText(cell.actual)}`,
      );
    }
  }
  return lines;
}

/** @param {unknown} value */
function valueText(value) {
  if (typeof value === 'string' && value.includes('\n    at '))
    return value.split('\n').slice(0, 3).join('\n      ');
  const text = inspect(value, {
    depth: 12,
    breakLength: Number.POSITIVE_INFINITY,
    compact: true,
    maxStringLength: 400,
  });
  return text.length > 2_000 ? `${text.slice(0, 2_000)}...` : text;
}
