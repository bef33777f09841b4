import { wrapped } from '@tenon/mcp-workbench/calls';
import type { DoctorStep, StepStatus } from '@tenon/mcp-workbench/doctor';
import type { Style } from '../../terminal/paint.js';
import type { Terminal } from '../../terminal/terminal.js';

const marks: Readonly<Record<StepStatus, { readonly word: string; readonly style: Style }>> = {
  passed: { word: 'ok  ', style: 'green' },
  warned: { word: 'warn', style: 'yellow' },
  failed: { word: 'FAIL', style: 'red' },
  skipped: { word: 'skip', style: 'dim' },
};

const titleWidth = 21;
const indentation = titleWidth + 6;

/** Prints a step: its result in the first line, and below it details and the fix of a warning or a failure. */
export function printStep(terminal: Terminal, { status, title, summary, details, fix }: DoctorStep): void {
  const { word, style } = marks[status];
  const { paint, columns } = terminal;
  const width = Math.max(30, Math.min(columns, 110) - indentation);
  const [first = '', ...rest] = wrapped(summary, width);
  const text = status === 'skipped' ? paint('dim', first) : first;
  terminal.print(`${paint(style, word)}  ${title.padEnd(titleWidth)}${text}`);
  const shown = status === 'warned' || status === 'failed' || details.some(isPrinted) ? details : [];
  const below = [
    ...rest,
    ...shown
      .flatMap((line) => (isPrinted(line) ? [line.slice(0, width)] : wrapped(line, width)))
      .map((line) => paint('dim', line)),
    ...(fix === undefined
      ? []
      : wrapped(`fix: ${fix}`, width).map((line, at) => (at === 0 ? painted(line, paint) : line))),
  ];
  for (const line of below) terminal.print(' '.repeat(indentation) + line);
}

/** Lines that a server has printed. */
function isPrinted(line: string): boolean {
  return line.startsWith('| ') || line.startsWith('stderr | ');
}

function painted(line: string, paint: Terminal['paint']): string {
  return paint('cyan', 'fix:') + line.slice('fix:'.length);
}

/** Returns the number of steps of each status, such as `1 failed, 11 passed`. */
export function totals(steps: readonly DoctorStep[]): string {
  const words = ['failed', 'warned', 'passed', 'skipped'] as const;
  return words
    .map((word) => ({ word, count: steps.filter(({ status }) => status === word).length }))
    .filter(({ count }) => count > 0)
    .map(({ word, count }) => `${count} ${word}`)
    .join(', ');
}
