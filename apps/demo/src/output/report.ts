import type { Cell } from '../scenario/run-scenario.js';
import type { Paint } from './paint.js';

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

/** One line that sums it up. */
export function summaryOf(cells: readonly Cell[], seconds: number, paint: Paint): string {
  const right = cells.filter(({ ok }) => ok).length;
  const count = (of: (cell: Cell) => string) => new Set(cells.map(of)).size;
  const rows = counted(
    count(({ row }) => row),
    'row',
  );
  const columns = counted(
    count(({ revision, transport }) => `${revision} ${transport}`),
    'column',
  );
  const revisions = counted(
    count(({ revision }) => revision),
    'revision',
  );
  const transports = counted(
    count(({ transport }) => transport),
    'transport',
  );
  const size = `${rows} × ${columns} (${revisions}, ${transports})`;
  const verdict = `${right} of ${cells.length} cells right`;
  const painted = right === cells.length ? paint.good(verdict) : paint.bad(verdict);
  return `${painted}: ${size}, in ${seconds.toFixed(1)} s\n`;
}

function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`;
}

/** Everything there is to know, for programs. */
export function jsonOf(cells: readonly Cell[], seconds: number): string {
  const right = cells.filter(({ ok }) => ok).length;
  return `${JSON.stringify({ ok: right === cells.length, right, total: cells.length, seconds, cells }, null, 2)}\n`;
}
