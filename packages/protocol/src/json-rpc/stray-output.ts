import { withoutControls } from '@tenon/foundation';

/** Returns the part of an error text about lines that were printed in place of messages, '' for none. */
export function strayOutput(lines: readonly string[]): string {
  if (lines.length === 0) return '';
  return `\nIt printed on stdout, where only messages belong (logs go to stderr):\n  ${lines.map(withoutControls).join('\n  ')}`;
}
