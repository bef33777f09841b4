import { redactText } from '@tenon/redaction';

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

/** Returns the lines that differ, with their closest neighbours if these contain no value. Secrets in the lines are replaced. */
export function changeLines(before: string, after: string): TextChange {
  const old = linesOf(before);
  const now = linesOf(after);
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start++;
  let end = 0;
  const most = Math.min(old.length, now.length) - start;
  while (end < most && old[old.length - 1 - end] === now[now.length - 1 - end]) end++;
  const line = (kind: ChangeLine['kind']) => (text: string) => ({ kind, text: redactText(text) });
  const isShown = (text: string) => text.trim() !== '' && structure.test(text);
  return {
    line: start + 1,
    lines: [
      ...now
        .slice(Math.max(0, start - 1), start)
        .filter(isShown)
        .map(line('context')),
      ...old.slice(start, old.length - end).map(line('removed')),
      ...now.slice(start, now.length - end).map(line('added')),
      ...now
        .slice(now.length - end)
        .slice(0, 1)
        .filter(isShown)
        .map(line('context')),
    ],
  };
}

function linesOf(text: string): string[] {
  const lines = text.split(/\r?\n/);
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}
