import type { Style } from '../../terminal/paint.js';
import type { Terminal } from '../../terminal/terminal.js';
import { folded, jsonLines, lineWidth, shownText, textLines } from './shown-text.js';

/** A part of a card: a text of this program, a labelled text of a server, or a labelled value. */
export type CardPart =
  | { readonly text: string; readonly style?: Style }
  | { readonly label: string; readonly data: string }
  | { readonly label: string; readonly value: unknown }
  | { readonly label: string; readonly lines: readonly string[] };

/** Lines of a card that are printed before a prompt, at most; the user can print the rest. */
const mostLines = 60;
const shortLabel = 9;

/** The facts for a decision, as lines for `note` of a terminal. Texts of servers are data: each line of them has a bar before it. */
interface Card {
  readonly lines: readonly string[];
  /** The lines that are left out. */
  readonly rest: readonly string[];
}

/** Returns a card. @param isWhole - true to leave nothing out. */
export function cardOf(
  title: string,
  parts: readonly CardPart[],
  { terminal, isWhole = false }: { readonly terminal: Terminal; readonly isWhole?: boolean },
): Card {
  const { paintError } = terminal;
  const width = lineWidth(terminal.errorColumns, 5);
  const bar = paintError('dim', '│');
  const head = textLines(title, width).map((line, index) =>
    index === 0
      ? `${paintError('cyan', '◇')}  ${paintError('bold', line)}`
      : `${bar}  ${paintError('bold', line)}`,
  );
  const body = parts.flatMap((part) => linesOf(part, terminal, width)).map((line) => `${bar}  ${line}`);
  const isLong = !isWhole && body.length > mostLines;
  return {
    lines: [bar, ...head, ...(isLong ? body.slice(0, mostLines) : body)],
    rest: isLong ? body.slice(mostLines) : [],
  };
}

function linesOf(part: CardPart, { paintError }: Terminal, width: number): readonly string[] {
  if ('text' in part) {
    const { style } = part;
    return textLines(part.text, width).map((line) => (style === undefined ? line : paintError(style, line)));
  }
  const { label } = part;
  const beside = width - shortLabel - 1;
  const lines = dataLines(part, beside, paintError);
  return lines.map(
    (line, index) => `${paintError('dim', (index === 0 ? label : '').padEnd(shortLabel))} ${line}`,
  );
}

function dataLines(
  part: Exclude<CardPart, { readonly text: string }>,
  width: number,
  paint: Terminal['paintError'],
): readonly string[] {
  if ('data' in part) return textLines(part.data, width);
  if ('value' in part) return jsonLines(part.value, width);
  return part.lines.flatMap((line) =>
    folded(shownText(line), width).map((piece) => paintDifference(piece, line, paint)),
  );
}

function paintDifference(piece: string, line: string, paint: Terminal['paintError']): string {
  if (line.startsWith('+ ')) return paint('green', piece);
  return line.startsWith('- ') ? paint('red', piece) : piece;
}
