import { withoutControls } from './text.js';

/** Characters that JSON allows in a string as they are, and that a terminal obeys or does not show. */
const obeyed = /[\u007f-\u009f\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/gu;

/** Returns a text that a terminal shows as it is: without control characters other than tab and line feed. */
export function printableText(text: string): string {
  // Halves of a character are replaced first: a control character between them may keep them apart.
  return withoutControls(toWellFormed(text)).replaceAll('\r', '');
}

/** Returns a value as JSON without control characters: they are written `\uXXXX`, so a reader gets the same value. */
export function printableJson(value: unknown, indentation?: number | string): string {
  const text = JSON.stringify(value, undefined, indentation) ?? 'null';
  return text.replace(obeyed, unicodeEscape);
}

/** Returns a character as JSON writes it: `\uXXXX` for each of its units. */
export function unicodeEscape(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}

function toWellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd');
}
