import { wrapped } from '@tenon/mcp-workbench/calls';
import type { PublishFinding } from '@tenon/mcp-workbench/publishing';
import { oneLine } from '../../terminal/one-line.js';
import type { Terminal } from '../../terminal/terminal.js';

/** Prints findings by file, each with its fix. */
export function printFindings(terminal: Terminal, findings: readonly PublishFinding[]): void {
  const { paint } = terminal;
  const files = [...new Set(findings.map(({ file }) => file))];
  for (const file of files) {
    terminal.print(paint('bold', file));
    for (const { severity, rule, path, message, fix } of findings.filter((one) => one.file === file)) {
      const label = paint(severity === 'error' ? 'red' : 'yellow', severity.padEnd(7));
      const place = path === undefined || path === '' ? '' : `  ${oneLine(path)}`;
      terminal.print(`  ${label}  ${paint('dim', `${rule}${place}`)}`);
      const width = Math.max(terminal.columns - indentation.length, 40);
      for (const line of wrapped(oneLine(message), width)) terminal.print(indentation + line);
      const [first = '', ...rest] = wrapped(`fix: ${oneLine(fix)}`, width);
      terminal.print(indentation + first.replace('fix:', paint('cyan', 'fix:')));
      for (const line of rest) terminal.print(`${indentation}     ${line}`);
    }
  }
}

/** The space before the texts of a finding. */
const indentation = ' '.repeat(11);

/** Returns findings as lines of text. */
export function describeFindings(findings: readonly PublishFinding[]): string {
  return findings
    .map(({ path = '', message, fix }) => `  ${oneLine(`${path}  ${message} ${fix}`)}`)
    .join('\n');
}
