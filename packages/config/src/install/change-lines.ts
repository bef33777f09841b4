import { redactText } from '@tenon/foundation/redaction';

/** A line of a change: removed, added, or beside it. */
export interface ChangeLine {
  readonly kind: 'removed' | 'added' | 'context';
  readonly text: string;
}

/** The lines of a text that changes in one place. */
export interface TextChange {
  /** The first line that changes, counted from 1. */
  readonly line: number;
  readonly lines: readonly ChangeLine[];
}

/** Lines without a value, which are shown beside a change. */
const structure = /^\s*(?:"?[\w.-]+"?\s*:)?\s*[{[\]}(),]*,?\s*$/;

/** Lines with a reference or a replaced value, which are not secrets. */
const withoutValue = /[:=]\s*"?(?:(?:Bearer )?\$(?:\{[^{}"]*\}|\w+)|\*\*\*)"?,?\s*$/;

/**
 * Returns the lines that differ, with their closest neighbours if these contain no value. A line that differs in its last comma
 * only counts as the same. Secrets in the lines are replaced as far as they can be recognized.
 */
export function changeLines(before: string, after: string): TextChange {
  const old = linesOf(before);
  const now = linesOf(after);
  let start = 0;
  while (start < old.length && start < now.length && isSame(old[start], now[start])) start++;
  let end = 0;
  const most = Math.min(old.length, now.length) - start;
  while (end < most && isSame(old[old.length - 1 - end], now[now.length - 1 - end])) end++;
  const removed = old.slice(start, old.length - end);
  const added = now.slice(start, now.length - end);
  if (removed.length === 0 && added.length === 0) return { line: 1, lines: [] };
  const isShown = (text: string) => text.trim() !== '' && structure.test(text);
  return {
    line: start + 1,
    lines: [
      ...lined('context', now.slice(Math.max(0, start - 1), start).filter(isShown)),
      ...lined('removed', removed),
      ...lined('added', added),
      ...lined(
        'context',
        now
          .slice(now.length - end, now.length)
          .slice(0, 1)
          .filter(isShown),
      ),
    ],
  };
}

/** Returns a change that replaces all lines of one text by those of another. */
export function wholeChange(before: string, after: string, line: number): TextChange {
  return { line, lines: [...lined('removed', linesOf(before)), ...lined('added', linesOf(after))] };
}

function lined(kind: ChangeLine['kind'], lines: readonly string[]): ChangeLine[] {
  return lines.map((text) => ({ kind, text: withoutValue.test(text) ? text : redactText(text) }));
}

function isSame(a: string | undefined, b: string | undefined): boolean {
  return a === b || a?.replace(/,?\s*$/, '') === b?.replace(/,?\s*$/, '');
}

function linesOf(text: string): string[] {
  const lines = text.split(/\r?\n/);
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}
