import type { LoadChange, LoadReport, Measured } from '@tenon/mcp-workbench/load';
import { counted } from '../../terminal/counted.js';
import { oneLine } from '../../terminal/one-line.js';
import type { Terminal } from '../../terminal/terminal.js';

const longestName = 30;

/** The kind of errors of a Tenon server that limits the rate of calls. */
const rateLimit = 'error -31004';
const rateLimitHelp = 'The server limits the rate of calls: set "rates: false" in createServer.';

/** Returns a report as aligned lines. */
export function loadTable(report: LoadReport, { paint }: Terminal): readonly string[] {
  const { target, revision, connections, concurrency, rate, seconds, isInterrupted, total } = report;
  const pace = rate === undefined ? '' : `, ${number(rate)} calls/s`;
  const load = `${counted(connections, 'connection')}, ${concurrency} in flight${pace}, ${seconds.toFixed(1)} s`;
  const kinds = Object.entries(report.calls);
  const rows = [
    ['', 'calls', 'calls/s', 'errors', 'p50', 'p90', 'p99', 'max ms'],
    ...kinds.map(([name, one]) => rowOf(name, one)),
    ...(kinds.length > 1 ? [rowOf('total', total)] : []),
  ];
  const [header = '', ...lines] = aligned(rows);
  const errors = Object.entries(report.errors).map(
    ([kind, { count, example }]) =>
      `${paint('red', kind)}  ${count}  ${oneLine(example.split('\n', 1)[0] ?? '')}`,
  );
  return [
    oneLine(`${target} (${revision})`),
    load,
    ...(isInterrupted ? [paint('yellow', 'interrupted: this is what was measured until then')] : []),
    '',
    paint('dim', header),
    ...lines,
    ...(errors.length > 0 ? ['', ...errors] : []),
    ...(rateLimit in report.errors ? [rateLimitHelp] : []),
  ];
}

function rowOf(name: string, { calls, perSecond, errors, latency }: Measured): readonly string[] {
  const times = [latency?.p50, latency?.p90, latency?.p99, latency?.max];
  return [nameOf(name), String(calls), number(perSecond), String(errors), ...times.map(milliseconds)];
}

/** Returns the differences of two runs as aligned lines. */
export function changeTable(changes: readonly LoadChange[], { paint }: Terminal): readonly string[] {
  const isSingle = new Set(changes.map(({ call }) => call)).size <= 2;
  const rows = changes
    .filter(({ call }) => call !== 'total' || !isSingle)
    .filter(({ measure, before, now }) => measure !== 'errors' || before !== now)
    .map((change) => {
      const { call, measure, before, now, ratio } = change;
      const show = measure === 'perSecond' || measure === 'errors' ? number : milliseconds;
      const name = measure === 'perSecond' ? 'calls/s' : measure;
      return [nameOf(call), name, show(before), show(now), ratio === undefined ? '' : `${ratio.toFixed(2)}x`];
    });
  const [header = '', ...lines] = aligned([['', '', 'before', 'now', 'ratio'], ...rows]);
  return [paint('dim', header), ...lines];
}

/** The first column is aligned left, the others right. */
function aligned(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  return rows.map((row) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  );
}

function nameOf(name: string): string {
  const shown = oneLine(name);
  return shown.length > longestName ? `${shown.slice(0, longestName - 3)}...` : shown;
}

function milliseconds(value: number | undefined): string {
  if (value === undefined) return '-';
  return value.toFixed(decimalsOf(value));
}

function number(value: number): string {
  return value.toFixed(value < 100 && !Number.isInteger(value) ? 1 : 0);
}

function decimalsOf(value: number): number {
  if (value < 10) return 2;
  return value < 100 ? 1 : 0;
}
