import { printableJson, printableText } from '@tenon/foundation';
import { wrapped } from '@tenon/mcp-workbench/calls';

// Characters that no terminal shows. Emoji and many scripts are written with joiners and two selectors, one in a row and never after ASCII.
const invisible =
  /(?!\ufe0e|\ufe0f|\p{Join_Control})\p{Default_Ignorable_Code_Point}|(?<=\p{ASCII}|\p{Join_Control})(?:\ufe0e|\ufe0f|\p{Join_Control})|(?<=\ufe0e|\ufe0f)(?:\ufe0e|\ufe0f)/gu;

/** The longest line, in characters: longer ones are hard to read. */
const widest = 100;

/** Returns the characters of a line on a terminal, at least 20. @param beside - columns that the line leaves free. */
export function lineWidth(columns: number, beside: number): number {
  return Math.max(20, Math.min(columns, widest) - beside);
}

/** Returns a text of a server, with invisible characters as `\u{...}`. */
export function shownText(text: string): string {
  return printableText(text).replace(
    invisible,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
}

/** Returns a value as lines of JSON, in which every character can be seen. */
export function jsonLines(value: unknown, width: number): readonly string[] {
  const whole = printableJson(value);
  const text = whole.length <= width ? whole.replace(/^\{\}$/, 'none') : printableJson(value, 2);
  return shownText(text)
    .split('\n')
    .flatMap((line) => folded(line, width));
}

/** Returns the lines of a text, broken between words at a width; longer words are cut. */
export function textLines(text: string, width: number): readonly string[] {
  return wrapped(shownText(text), width).flatMap((line) => folded(line, width));
}

/** Returns a text in one line of at most `width` characters. */
export function shortLine(text: string, width: number): string {
  const line = shownText(text.slice(0, 8 * width))
    .replaceAll(/\s+/g, ' ')
    .trim();
  const characters = Array.from(line);
  return characters.length <= width ? line : `${characters.slice(0, Math.max(1, width - 1)).join('')}…`;
}

/** Returns a line in pieces of at most `width` characters; all but the first are indented like the line. */
export function folded(line: string, width: number): readonly string[] {
  const characters = Array.from(line);
  if (characters.length <= width) return [line];
  const indentation = ' '.repeat(Math.min(line.search(/\S|$/) + 2, Math.floor(width / 2)));
  const pieces = [characters.slice(0, width).join('')];
  const length = width - indentation.length;
  for (let at = width; at < characters.length; at += length)
    pieces.push(indentation + characters.slice(at, at + length).join(''));
  return pieces;
}
