import { beginsDotted, isKeyShaped } from './redaction/key-shapes.js';
import { type Secrecy, secrecyOf } from './redaction/names.js';
import {
  closingQuote,
  colour,
  looksRandom,
  redacted,
  replaceSpans,
  type Span,
  stepOver,
  webTokenIn,
} from './redaction/words.js';
import { type Redactor, redact, redactText } from './redaction.js';

/**
 * Removes all recognisable credentials, for an option `redact`: those of the default, and keys of well-known services, basic
 * credentials, private keys and secret parameters of URLs.
 */
export const thorough: Redactor = (value) => redact(value, { text: redactThoroughly });

/**
 * Returns a text without all recognisable credentials: those that {@link redactText} finds, and keys of well-known shape,
 * basic credentials, private keys, secret parameters of URLs, and lists and objects after a name such as `cookies`. Takes time
 * in proportion to the text.
 */
export function redactThoroughly(text: string): string {
  // Each step reads a character a bounded number of times: no two repeats in a pattern match the same characters.
  return redactText(redactWords(text.includes('-----BEGIN ') ? redactPrivateKeys(text) : text));
}

function redactPrivateKeys(text: string): string {
  let clean = '';
  let done = 0;
  for (let from = text.indexOf('-----BEGIN '); from >= 0; from = text.indexOf('-----BEGIN ', from + 1)) {
    if (from < done || !text.slice(from, from + 64).includes('PRIVATE KEY')) continue;
    const end = text.indexOf('-----END ', from);
    const close = end < 0 ? -1 : text.indexOf('-----', end + 9);
    clean += text.slice(done, from) + redacted;
    done = close < 0 ? text.length : close + 5;
    from = done - 1;
  }
  return clean + text.slice(done);
}

function redactWords(text: string): string {
  // The end of a terminal's colour sequence is not a part of the word after it.
  const words = new RegExp(`${colour}|[A-Za-z0-9_-]+`, 'g');
  return replaceSpans(text, words, ([word], to) => secretAt(text, word, to - word.length));
}

/** Returns the secret that starts at a word or follows it. */
function secretAt(text: string, word: string, from: number): Span | undefined {
  const to = from + word.length;
  if (isKeyShaped(word)) return { from, to };
  if (text[to] === '.') {
    const start = beginsDotted(word) ? 0 : webTokenIn(word);
    const end = start < 0 ? to : stepOver(dottedRest, text, to);
    if (end - to > 10) return { from: from + start, to: end };
  }
  if (/^(?:bearer|basic)$/i.test(word)) return credentialAfter(text, word, to);
  if (word.length > 128) return undefined;
  const before = text[from - 1];
  if (text[to] === '=' && (before === '?' || before === '&' || before === '#')) {
    // A value may contain other parameters: it is skipped only if it is removed.
    if (secrecyOf(word) === undefined && !parameters.has(word.toLowerCase())) return undefined;
    const end = stepOver(parameterValue, text, to + 1);
    return end > to + 1 && !variable.test(text.slice(to + 1, end)) ? { from: to + 1, to: end } : undefined;
  }
  const start = stepOver(assignment, text, to);
  if (start === to || stepOver(opening, text, start) === start) return undefined;
  const secrecy = secrecyOf(word);
  return secrecy === undefined ? undefined : withoutTexts(text, start, secrecy);
}

const dottedRest = /[A-Za-z0-9_.-]*/y;
const blanks = /[ \t]{0,4}/y;
const credential = /[A-Za-z0-9_\-.+/=~]+/y;
const parameterValue = /[^\s&#"'<>\\]*/y;
const variable = /^\$\{\w+\}$/;
/** Names that are secrets as URL parameters and ordinary elsewhere. */
const parameters: ReadonlySet<string> = new Set([
  'key',
  'code',
  'sig',
  'signature',
  'auth',
  'pass',
  'sid',
  'sas',
  'x-amz-signature',
  'x-goog-signature',
]);

function credentialAfter(text: string, word: string, to: number): Span | undefined {
  const from = stepOver(blanks, text, to);
  const end = from > to ? stepOver(credential, text, from) : from;
  const value = text.slice(from, end);
  const isSecret = word.toLowerCase() === 'basic' ? isBasic(value) : looksRandom(value);
  return isSecret ? { from, to: end } : undefined;
}

/** True for `user:password` in base64. */
function isBasic(value: string): boolean {
  if (value.length > 4_096 || !/^[A-Za-z0-9+/]+={0,2}$/.test(value)) return false;
  const digits = value.replace(/=+$/, '');
  // Digits of any other length are valid base64, so decoding cannot fail.
  return digits.length % 4 !== 1 && atob(digits).includes(':');
}

// The quote that ends the name, escaped or not, and the text between a name and its value.
const assignment = /\\{0,63}["'`]?\]?[ \t]{0,4}(?:=>|[:=])[ \t]{0,4}/y;
const openingQuote = /\\{0,63}["'`]/y;
// The start of a list or an object, not of a text in brackets.
const opening = /[[{]\s{0,64}(?:\\n\s{0,64})?(?:\\{0,63}["'`]|[[\]{}]|-?\d|[\w-]{1,64}[ \t]?:)/y;
const endOfName = /[ \t]{0,4}:/y;
const bareWord = /[^\s,;:"'`[\]{}\\]*/y;
const noText = /^(?:true|false|null|undefined)$/;
const noSecret = /^(?:true|false|null|undefined|-?[\d.]+)$/;

/**
 * Returns a list or an object, such as JSON, without its texts; an unclosed one extends to the end of the text. Scans the text
 * once.
 */
function withoutTexts(text: string, from: number, secrecy: Secrecy): Span {
  let replacement = '';
  let done = from;
  let depth = 0;
  let at = from;
  do {
    if (text.startsWith(redacted, at)) {
      at += redacted.length;
      continue;
    }
    const { inside, close, end } = partAt(text, at);
    if (inside === close) {
      const mark = end - at === 1 ? text[at] : undefined;
      if (mark === '[' || mark === '{') depth++;
      else if (mark === ']' || mark === '}') depth--;
    } else if (stepOver(endOfName, text, end) === end && isTextual(text.slice(inside, close), secrecy)) {
      replacement += text.slice(done, inside) + redacted;
      done = close;
    }
    at = end;
  } while (depth > 0 && at < text.length);
  return { from, to: at, replacement: replacement + text.slice(done, at) };
}

/** Returns the quoted text, the word or the single mark at an index; a mark has no inside. */
function partAt(text: string, at: number): { inside: number; close: number; end: number } {
  const inside = stepOver(openingQuote, text, at);
  if (inside > at) {
    const quote = text.slice(at, inside);
    const close = closingQuote(text, quote, inside);
    return { inside, close, end: Math.min(text.length, close + quote.length) };
  }
  const close = stepOver(bareWord, text, at);
  // An escape sequence is not a word: "\n" ends a line.
  return close > at
    ? { inside: at, close, end: close }
    : { inside: at, close: at, end: at + (text[at] === '\\' ? 2 : 1) };
}

function isTextual(value: string, secrecy: Secrecy): boolean {
  return !(secrecy === 'all' ? noText : noSecret).test(value);
}
