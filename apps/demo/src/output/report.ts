import type { Cell } from '../scenario/run-scenario.js';
import type { Paint } from './paint.js';
import { between } from './table.js';

/** What is wrong, cell by cell; nothing when all is right. */
export function mistakesIn(cells: readonly Cell[], paint: Paint): string {
  return cells
    .filter(({ ok }) => !ok)
    .map(({ revision, transport, row, expected, actual }) => {
      const where = `${revision} ${transport}, ${row}`;
      return `${paint.bad('✗')} ${where}: expected "${expected}", got "${actual}"\n`;
    })
    .join('');
}

/** What is said to those who are refused, in the newest revision that is shown. */
export function refusalsIn(cells: readonly Cell[], width: number, paint: Paint): string {
  const told = new Map<string, string>();
  for (const cell of cells) if (cell.told !== undefined) told.set(cell.row, cell.told);
  const labels = Math.max(0, ...[...told.keys()].map((row) => row.length)) + 2;
  const lines = [...told].flatMap(([row, text]) =>
    wrapped(text, width - labels - between.length).map((line, index) => {
      const label = index === 0 ? `  ${row}` : '';
      return `${label.padEnd(labels)}${paint.dim(between)}${line}\n`;
    }),
  );
  return lines.length === 0 ? '' : [`${paint.bold('what the refused are told')}\n`, ...lines].join('');
}

/** A text as lines that break between words, where they can. */
function wrapped(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const line = lines.at(-1);
    if (line === undefined || line.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return lines;
}

/** One line that sums it up. @param tables - the cells of each. */
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

/** How many different ones there are. */
function counted(cells: readonly Cell[], thing: string, of: (cell: Cell) => string): string {
  const count = new Set(cells.map(of)).size;
  return `${count} ${thing}${count === 1 ? '' : 's'}`;
}

/** Everything there is to know, for programs. */
export function jsonOf(cells: readonly Cell[], seconds: number): string {
  const right = cells.filter(({ ok }) => ok).length;
  return `${JSON.stringify({ ok: right === cells.length, right, total: cells.length, seconds, cells }, null, 2)}\n`;
}
