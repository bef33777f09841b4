import { printableText } from '@tenon/foundation';

/** Tags of texts that were written for a page. */
const tags =
  /<\/?(?:a|b|br|code|div|em|h[1-6]|i|li|ol|p|pre|span|strong|table|tbody|td|th|thead|tr|ul)(?:\s[^<>]*)?\/?>/gi;

/** Characters of a text that are read at most: a document may have a text of megabytes. */
const mostRead = 20_000;

/**
 * Returns a text of the document as one line without control characters and tags of HTML. A longer text ends after its last sentence
 * that fits.
 * @returns undefined if nothing is left.
 */
export function lineOf(text: unknown, most: number): string | undefined {
  if (typeof text !== 'string') return undefined;
  const line = printableText(text.slice(0, mostRead)).replace(tags, ' ').replace(/\s+/g, ' ').trim();
  if (line === '') return undefined;
  if (line.length <= most) return line;
  const start = line.slice(0, most);
  const sentence = /^.*[.!?](?=\s)/.exec(start)?.[0];
  return sentence !== undefined && sentence.length >= most / 2
    ? sentence
    : `${start.slice(0, -3).trimEnd()}...`;
}

/** Returns a text of the document in quotes, short enough for an error. */
export function shown(text: string): string {
  return JSON.stringify(printableText(text.slice(0, 100)));
}

/** Returns the URL of a text; undefined if it is none. */
export function urlOf(text: string | URL, base?: URL): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
