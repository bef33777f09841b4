/** The beginning of a terminal's escape sequences. */
export const escapeCharacter: string = String.raw`\u001b`;

/** A terminal's colour sequence, which is often between a name and its value, or before a word. */
export const colour: string = String.raw`${escapeCharacter}\[[\d;]{0,16}m`;

/** The blanks between a name and its value. */
export const blanks: string = String.raw`(?:${colour}){0,2}[ \t]{0,4}(?:${colour}){0,2}`;

/** The place before a word. */
export const wordStart: string = String.raw`(?:(?<![\w-])(?<!${escapeCharacter}\[[\d;]{0,16})|(?<=${colour}))`;

/** A quote, as it is written in JSON, or in JSON that is the text of up to five others. */
export const quote: string = String.raw`\\{0,63}["'\x60]`;

/** Returns the index of the closing quote; the end of the text if there is none. */
export function closingQuote(text: string, opening: string, from: number): number {
  for (let at = text.indexOf(opening, from); at >= 0; at = text.indexOf(opening, at + opening.length)) {
    // A quote that is escaped more than the opening quote is a part of the value.
    if (text[at - 1] !== '\\') return at;
  }
  return text.length;
}

/** Returns the end of a match at an index; the index if there is none. @param pattern - with the flag `y`. */
export function stepOver(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : from;
}
