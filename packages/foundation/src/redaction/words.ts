import type { Secrecy } from './names.js';

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

/** A part of a text to replace. */
export interface Span {
  readonly from: number;
  readonly to: number;
  /** Default: {@link redacted}. */
  readonly replacement?: string;
}

/**
 * Returns a text with spans replaced. A search goes on after the span.
 * @param pattern - with the flag `g`.
 * @param spanOf - receives a match and the index of its end. Returns undefined if nothing is to be replaced.
 */
export function replaceSpans(
  text: string,
  pattern: RegExp,
  spanOf: (match: RegExpExecArray, from: number) => Span | undefined,
): string {
  let clean = '';
  let done = 0;
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const span = spanOf(match, pattern.lastIndex);
    if (span === undefined) continue;
    clean += text.slice(done, span.from) + (span.replacement ?? redacted);
    done = span.to;
    pattern.lastIndex = span.to;
  }
  return done === 0 ? text : clean + text.slice(done);
}

/** The replacement of a secret. */
export const redacted = '[redacted]';

// Words that follow a name in an ordinary sentence or in a template.
const ordinary =
  /^(?:true|false|null|undefined|nil|none|an?|the|its?|this|that|they|is|are|was|were|ha[sd]|have|must|should|can|cannot|could|may|might|will|would|does|do|not?|too|used?|needs|expected|missing|required|optional|invalid|unknown|wrong|given|found|set|unset|empty|string|number|boolean|integer|object)$/i;
// References to variables; a bare value ends before a brace.
const reference = /^\$(?:[A-Z_][A-Z0-9_]*|\{[^{}]*\})?$/;

/** True if the value of a name is a secret. @param isStated - true if the value is quoted or follows an equals sign, so that a short word counts too. */
export function isSecret(value: string, secrecy: Secrecy, isStated: boolean): boolean {
  if (value === '' || ordinary.test(value) || reference.test(value)) return false;
  return secrecy === 'all' || (isStated ? !/^[\d.]*$/.test(value) : looksRandom(value));
}

/** True for text that may be a credential where one is expected: neither an ordinary word nor a number. */
export function looksRandom(text: string): boolean {
  if (text.length < 6) return false;
  return text.length >= 20 || (/\d/.test(text) && /[^\d.,:-]/.test(text));
}

/** Returns the index of the first part of a JSON Web Token in a word, which may follow other words: `session_eyJ...`; -1 if there is none. */
export function webTokenIn(word: string): number {
  const match = /(?:^|[_-])(?=eyJ[\w-]{7})/.exec(word);
  return match === null ? -1 : match.index + match[0].length;
}
