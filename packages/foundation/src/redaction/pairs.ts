import { secrecyOf } from './names.js';
import { closingQuote, isSecret, quote, redacted, replaceSpans, stepOver } from './words.js';

// A run of backslashes is read from its start only.
const opening = String.raw`((?<!\\)${quote})`;
const between = String.raw`\s{0,64}:\s{0,64}`;
const comma = String.raw`\s{0,64},\s{0,64}`;
const text128 = String.raw`([^"'\x60\\]{1,128})`;
const named = new RegExp(
  String.raw`${opening}(?:name|key)\1${between}\1${text128}\1${comma}\1value\1${between}`,
  'gi',
);
const valued = new RegExp(String.raw`${opening}value\1${between}`, 'gi');
const bare = /[\w.+-]*/y;

/** Returns a text without values beside secret names in JSON: `{"name": "password", "value": "..."}`, in either order. */
export function redactPairs(text: string): string {
  if (!/value/i.test(text)) return text;
  const clean = replaced(text, named, ([, mark = '', name = ''], from) => ({ mark, name, from }));
  return replaced(clean, valued, ([, mark = ''], from) => {
    if (!clean.startsWith(mark, from)) return undefined;
    const end = closingQuote(clean, mark, from + mark.length) + mark.length;
    const after = new RegExp(
      `^${comma}${escaped(mark)}(?:name|key)${escaped(mark)}${between}${escaped(mark)}${text128}${escaped(mark)}`,
      'i',
    );
    const name = after.exec(clean.slice(end, end + 512))?.[1];
    return name === undefined ? undefined : { mark, name, from };
  });
}

function escaped(mark: string): string {
  return mark.replaceAll('\\', '\\\\');
}

interface Pair {
  readonly mark: string;
  readonly name: string;
  /** The index of the value, or of its quote. */
  readonly from: number;
}

function replaced(
  text: string,
  pattern: RegExp,
  pairOf: (match: RegExpExecArray, from: number) => Pair | undefined,
): string {
  return replaceSpans(text, pattern, (match, end) => {
    const pair = pairOf(match, end);
    const secrecy = pair === undefined ? undefined : secrecyOf(pair.name);
    if (pair === undefined || secrecy === undefined) return undefined;
    const isQuoted = text.startsWith(pair.mark, pair.from);
    const from = isQuoted ? pair.from + pair.mark.length : pair.from;
    const to = isQuoted ? closingQuote(text, pair.mark, from) : stepOver(bare, text, from);
    return isSecret(text.slice(from, to), secrecy, true) ? { from, to } : undefined;
  });
}

const element = /<(?:[\w-]{1,64}:)?([\w.-]{1,64})(?:\s[^<>]{0,256})?>(?:<!\[CDATA\[)?/g;

/** Returns a text without the texts of XML elements with secret names: `<password>...</password>`. */
export function redactElements(text: string): string {
  if (!text.includes('</')) return text;
  return replaceSpans(text, element, ([tag, name = ''], from) => {
    const secrecy = secrecyOf(name);
    if (secrecy === undefined || text.startsWith(redacted, from)) return undefined;
    const isData = tag.endsWith('[');
    const to = text.indexOf(isData ? ']]>' : '</', from);
    const value = text.slice(from, to < 0 ? from : to);
    if ((!isData && value.includes('<')) || !isSecret(value.trim(), secrecy, true)) return undefined;
    return { from, to };
  });
}
