import { wrapped } from '@tenon/mcp-workbench/calls';
import type { Style } from './paint.js';
import type { Terminal } from './terminal.js';

/** The severity of a finding of a check. */
export type FindingSeverity = 'error' | 'warning' | 'info';

const styles: Readonly<Record<FindingSeverity, Style>> = { error: 'red', warning: 'yellow', info: 'blue' };
const labels: Readonly<Record<FindingSeverity, string>> = {
  error: 'error',
  warning: 'warning',
  info: 'note',
};
const indentation = ' '.repeat(11);
/** Characters printed of a name. */
const mostCharacters = 200;

/** Returns a text in the colour of a severity. */
export function paintSeverity(severity: FindingSeverity, text: string, { paint }: Terminal): string {
  return paint(styles[severity], text);
}

/** Prints a text with its severity before it, broken at the width of the terminal. */
export function printFinding(severity: FindingSeverity, text: string, terminal: Terminal): void {
  const label = paintSeverity(severity, labels[severity].padEnd(9), terminal);
  const [first = '', ...rest] = wrapped(text, widthOf(terminal));
  terminal.print(`  ${label}${first}`);
  for (const line of rest) terminal.print(indentation + line);
}

/** Prints a text below a finding. */
export function printDetail(text: string, terminal: Terminal): void {
  for (const line of wrapped(text, widthOf(terminal)))
    terminal.print(indentation + terminal.paint('dim', line));
}

/** Returns the characters of a line beside the indentation. */
function widthOf({ columns }: Terminal): number {
  return Math.max(columns - indentation.length, 20);
}

/** Returns the beginning of a name that is too long to print. */
export function shortName(name: string): string {
  return name.length > mostCharacters ? `${name.slice(0, mostCharacters)}...` : name;
}
