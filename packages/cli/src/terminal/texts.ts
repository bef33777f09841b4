import { wrapped } from '@tenon/mcp-workbench/calls';
import type { Style } from './paint.js';
import type { Terminal } from './terminal.js';

/** The severity of a finding of a check. */
type FindingSeverity = 'error' | 'warning' | 'info';

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

/**
 * Returns rows as aligned columns, with a dim header; with `numbers`, all columns but the first are aligned right. Texts of a server
 * stay in their cell: their line feeds and tabs become spaces.
 */
export function tableLines(
  table: readonly (readonly string[])[],
  { paint }: Terminal,
  kind: 'texts' | 'numbers' = 'texts',
): readonly string[] {
  const rows = table.map((row) => row.map((cell) => cell.replaceAll(/[\n\t]+/g, ' ')));
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const padded = (cell: string, column: number) =>
    kind === 'numbers' && column > 0 ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0);
  const [header = '', ...lines] = rows.map((row) => row.map(padded).join('  ').trimEnd());
  return [paint('dim', header), ...lines];
}

/** Prints facts, one a line, behind dim labels. */
export function printFacts(
  facts: readonly (readonly [label: string, text: string])[],
  terminal: Terminal,
): void {
  const width = Math.max(...facts.map(([label]) => label.length));
  for (const [label, text] of facts)
    terminal.print(`${terminal.paint('dim', label.padEnd(width))}  ${text}`.trimEnd());
}

/** Returns the beginning of a name that is too long to print. */
export function shortName(name: string): string {
  return name.length > mostCharacters ? `${name.slice(0, mostCharacters)}...` : name;
}

/** Returns a number with its noun, such as `1 tool` or `1,200 tools`. */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;
}

/** Returns numbers with their words, such as `2 failed, 29 passed`, without those that are 0. */
export function totalsText(totals: readonly (readonly [count: number, word: string])[]): string {
  return totals.flatMap(([count, word]) => (count > 0 ? [`${count} ${word}`] : [])).join(', ');
}

/** Returns the columns of a text behind a label: at least 30, and at most 110 with the label. */
export function widthBeside(label: number, { columns }: Terminal): number {
  return Math.max(30, Math.min(columns, 110) - label);
}

/** The characters that are printed of a longer text. */
const longest = 4_096;

/** Returns a text of a server as one line of at most 4,096 characters. */
export function oneLine(text: string): string {
  const line = text.slice(0, longest).replaceAll(/\s+/g, ' ').trim();
  const more = text.length - longest;
  return more > 0 ? `${line}… (${more} more characters)` : line;
}
