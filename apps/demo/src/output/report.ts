import type { Cell } from '../scenario/run-scenario.js';
import type { Paint } from './paint.js';
import { between } from './table.js';

/** Returns a line for each wrong cell; an empty text if all are right. */
export function mistakesIn(cells: readonly Cell[], paint: Paint): string {
  return cells
    .filter(({ ok }) => !ok)
    .map(({ revision, transport, row, expected, actual }) => {
      const where = `${revision} ${transport}, ${row}`;
      return `${paint.bad('✗')} ${where}: expected "${expected}", got "${actual}"\n`;
    })
    .join('');
}

/** Returns the error messages of refused attempts, in the newest revision shown. */
export function refusalsIn(cells: readonly Cell[], width: number, paint: Paint): string {
  const message = new Map<string, string>();
  for (const cell of cells) if (cell.message !== undefined) message.set(cell.row, cell.message);
  const labels = Math.max(0, ...[...message.keys()].map((row) => row.length)) + 2;
  const lines = [...message].flatMap(([row, text]) =>
    wrapped(text, width - labels - between.length).map((line, index) => {
      const label = index === 0 ? `  ${row}` : '';
      return `${label.padEnd(labels)}${paint.dim(between)}${line}\n`;
    }),
  );
  return lines.length === 0 ? '' : [`${paint.bold('error messages')}\n`, ...lines].join('');
}

/** Splits a text into lines, between words if possible. */
function wrapped(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const line = lines.at(-1);
    if (line === undefined || line.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return lines;
}

/** Returns one line with the totals. @param tables - the cells of each table. */
export function summaryOf(tables: readonly (readonly Cell[])[], seconds: number, paint: Paint): string {
  const cells = tables.flat();
  const right = cells.filter(({ ok }) => ok).length;
  const sizes = tables.map((table) => {
    const rows = counted(table, 'row', ({ group, row }) => `${group} ${row}`);
    return `${rows} × ${counted(table, 'column', ({ revision, transport }) => `${revision} ${transport}`)}`;
  });
  const revisions = counted(cells, 'revision', ({ revision }) => revision);
  const transports = counted(cells, 'transport', ({ transport }) => transport);
  const verdict = `${right} of ${cells.length} cells right`;
  const painted = right === cells.length ? paint.good(verdict) : paint.bad(verdict);
  return `${painted}: ${sizes.join(' and ')} (${revisions}, ${transports}), in ${seconds.toFixed(1)} s\n`;
}

/** Returns the number of distinct values. */
function counted(cells: readonly Cell[], thing: string, of: (cell: Cell) => string): string {
  const count = new Set(cells.map(of)).size;
  return `${count} ${thing}${count === 1 ? '' : 's'}`;
}

/** Returns all results as JSON. */
export function jsonOf(cells: readonly Cell[], seconds: number): string {
  const right = cells.filter(({ ok }) => ok).length;
  return `${JSON.stringify({ ok: right === cells.length, right, total: cells.length, seconds, cells }, null, 2)}\n`;
}
