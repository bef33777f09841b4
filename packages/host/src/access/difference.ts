import { diffLines } from 'diff';

/** Lines of a difference that are returned, at most. */
const mostLines = 400;

/** Returns the lines that differ between two texts, with `+ ` or `- ` before each, and one line around them with two spaces. */
export function differenceOf(before: string, after: string): readonly string[] {
  const parts = diffLines(before, after);
  const lines = parts.flatMap(({ value, added, removed }, index) => {
    const own = value.replace(/\n$/, '').split('\n');
    if (added) return own.map((line) => `+ ${line}`);
    if (removed) return own.map((line) => `- ${line}`);
    const first = index === 0 ? [] : own.slice(0, 1);
    const last = index === parts.length - 1 ? [] : own.slice(-1);
    return (own.length === 1 ? own : [...first, ...last]).map((line) => `  ${line}`);
  });
  if (lines.length <= mostLines) return lines;
  return [...lines.slice(0, mostLines), `  and ${lines.length - mostLines} more lines`];
}
