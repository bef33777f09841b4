import { type Secrecy, secrecyOf } from './secret-names.js';
import { beginsDotted, isKeyShaped, looksRandom } from './secret-shapes.js';

/** What stands where a secret was. */
export const redacted = '[redacted]';

/** What turns the colour of a terminal, often between a name and its value. */
const escapeCharacter = String.raw`\u001b`;
const colour = String.raw`${escapeCharacter}\[[\d;]{0,16}m`;
const colours = `(?:${colour}){0,2}`;

/** Part of a text, and what is told in its place: by default that something was taken out. */
interface Span {
  readonly from: number;
  readonly to: number;
  readonly told?: string;
}

/**
 * A text without the credentials that can be recognised in it: bearer and basic credentials, JSON Web Tokens, keys of
 * well-known shape, private keys, user information and secret parameters of URLs, and what follows a name such as
 * `password`. Takes time in proportion to the text.
 */
export function redactText(text: string): string {
  // Each step looks at a character a bounded number of times: patterns here never repeat what another could match too.
  const withoutKeys = text.includes('-----BEGIN ') ? redactPrivateKeys(text) : text;
  return redactWords(withoutKeys.includes('://') ? redactUserInfo(withoutKeys) : withoutKeys);
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

const authorityEnd = /[/?#\s"'<>\\]/g;

function redactUserInfo(text: string): string {
  let clean = '';
  let done = 0;
  for (let at = text.indexOf('://'); at >= 0; at = text.indexOf('://', done)) {
    const from = at + 3;
    authorityEnd.lastIndex = from;
    const to = authorityEnd.exec(text)?.index ?? text.length;
    const authority = text.slice(from, to);
    const sign = authority.lastIndexOf('@');
    // A name alone, as in ssh://git@host, is no secret, unless a browser would send it as one.
    const isSecret =
      sign > 0 &&
      (authority.lastIndexOf(':', sign) >= 0 || text.endsWith('http', at) || text.endsWith('https', at));
    clean += text.slice(done, from) + (isSecret ? redacted + authority.slice(sign) : authority);
    done = to;
  }
  return clean + text.slice(done);
}

function redactWords(text: string): string {
  // The end of a terminal's colour is no part of the word after it.
  const words = new RegExp(`${colour}|[A-Za-z0-9_-]+`, 'g');
  let clean = '';
  let done = 0;
  for (let match = words.exec(text); match !== null; match = words.exec(text)) {
    const span = secretAt(text, match[0], match.index);
    if (span === undefined) continue;
    clean += text.slice(done, span.from) + (span.told ?? redacted);
    done = span.to;
    words.lastIndex = span.to;
  }
  return done === 0 ? text : clean + text.slice(done);
}

/** The secret that a word is, or that follows it. */
function secretAt(text: string, word: string, from: number): Span | undefined {
  const to = from + word.length;
  if (isKeyShaped(word)) return { from, to };
  if (text[to] === '.' && beginsDotted(word)) {
    const end = stepOver(dottedRest, text, to);
    if (end - to > 10) return { from, to: end };
  }
  if (scheme.test(word)) return credentialAfter(text, word, to);
  const start = stepOver(assignment, text, to);
  if (start === to || word.length > 128) return undefined;
  const secrecy = secrecyOf(word);
  const before = text[from - 1];
  if (text[to] === '=' && (before === '?' || before === '&' || before === '#')) {
    // A value may hold other parameters: it is looked over only where it is taken out.
    if (secrecy === undefined && !parameters.has(word.toLowerCase())) return undefined;
    const end = stepOver(parameterValue, text, to + 1);
    return end > to + 1 ? { from: to + 1, to: end } : undefined;
  }
  return secrecy === undefined ? undefined : assignedValue(text, { name: word, secrecy, start });
}

const scheme = /^(?:bearer|basic)$/i;
const dottedRest = /[A-Za-z0-9_.-]*/y;
const credential = /[A-Za-z0-9_\-.+/=~]+/y;
const parameterValue = /[^\s&#"'<>\\]*/y;
/** Parameters of URLs that are secrets there and ordinary elsewhere. */
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

function stepOver(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : from;
}

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
  // Any other length of digits alone is base64, which cannot fail.
  return digits.length % 4 !== 1 && atob(digits).includes(':');
}

interface Assigned {
  readonly name: string;
  readonly secrecy: Secrecy;
  /** Where the value begins, or its quote. */
  readonly start: number;
}

const blanks = new RegExp(`${colours}[ \\t]{0,4}${colours}`, 'y');
// A quote that ends the name, however often it is escaped, and what stands between a name and its value.
const assignment = new RegExp(
  `${colours}${String.raw`\\{0,3}["'\x60]?\]?[ \t]{0,4}(?:=>|[:=])`}${colours}[ \\t]{0,4}${colours}`,
  'y',
);
const openingQuote = /\\{0,3}["'`]/y;
const bareValue = new RegExp(String.raw`[^\s${escapeCharacter}&,;"'\x60<>()[\]{}|\\]*`, 'y');
const restOfLine = new RegExp(String.raw`[^\r\n${escapeCharacter}"'\x60\\]*`, 'y');
// What follows a name in a sentence about it, rather than being its value.
const ordinaryWords: ReadonlySet<string> = new Set(
  (
    'true false null undefined nil none a an the it its this that they is are was were has have had must should can ' +
    'cannot could may might will would do does not no too use used needs expected missing required invalid unknown ' +
    'wrong given found set unset empty'
  ).split(' '),
);
const wholeLine = /authorization|cookie/i;

function assignedValue(text: string, { name, secrecy, start }: Assigned): Span | undefined {
  if (stepOver(opening, text, start) > start) return withoutTexts(text, start, secrecy);
  const from = stepOver(openingQuote, text, start);
  const end = from > start ? closingQuote(text, text.slice(start, from), from) : bareEnd(text, name, from);
  const value = text.slice(from, end);
  if (value === '' || value.startsWith(redacted) || isOrdinary(value)) return undefined;
  const isQuoted = from > start;
  const isSecret =
    secrecy === 'all' || (isQuoted || text[start - 1] === '=' ? !/^[\d.]*$/.test(value) : looksRandom(value));
  return isSecret ? { from, to: end } : undefined;
}

function isOrdinary(value: string): boolean {
  return value.length < 10 && ordinaryWords.has(value.toLowerCase());
}

function bareEnd(text: string, name: string, from: number): number {
  return stepOver(wholeLine.test(name) ? restOfLine : bareValue, text, from);
}

// A list or an object, rather than a text that begins with a bracket.
const opening = /[[{]\s{0,64}(?:\\n\s{0,64})?(?:\\{0,3}["'`]|[[\]{}]|-?\d|[\w-]{1,64}[ \t]?:)/y;
const endOfName = /[ \t]{0,4}:/y;
const bareWord = /[^\s,;:"'`[\]{}\\]*/y;
const noText = /^(?:true|false|null|undefined)$/;
const noSecret = /^(?:true|false|null|undefined|-?[\d.]+)$/;

/**
 * A list or an object, such as JSON, without the texts in it; what it never closes goes on to the end of the text. All of
 * it is looked at once, whatever it holds.
 */
function withoutTexts(text: string, from: number, secrecy: Secrecy): Span {
  let told = '';
  let done = from;
  let depth = 0;
  let at = from;
  do {
    const { inside, close, end } = partAt(text, at);
    if (inside === close) {
      const mark = end - at === 1 ? text[at] : undefined;
      if (mark === '[' || mark === '{') depth++;
      else if (mark === ']' || mark === '}') depth--;
    } else if (stepOver(endOfName, text, end) === end && isTextual(text.slice(inside, close), secrecy)) {
      told += text.slice(done, inside) + redacted;
      done = close;
    }
    at = end;
  } while (depth > 0 && at < text.length);
  return { from, to: at, told: told + text.slice(done, at) };
}

/** The text in quotes, the bare word or the single mark that begins somewhere; nothing is inside a mark. */
function partAt(text: string, at: number): { inside: number; close: number; end: number } {
  const inside = stepOver(openingQuote, text, at);
  if (inside > at) {
    const quote = text.slice(at, inside);
    const close = closingQuote(text, quote, inside);
    return { inside, close, end: Math.min(text.length, close + quote.length) };
  }
  const close = stepOver(bareWord, text, at);
  // What is escaped is no word of its own: "\n" ends a line.
  return close > at
    ? { inside: at, close, end: close }
    : { inside: at, close: at, end: at + (text[at] === '\\' ? 2 : 1) };
}

function isTextual(value: string, secrecy: Secrecy): boolean {
  return !(secrecy === 'all' ? noText : noSecret).test(value);
}

/** Where a value ends that began with a quote; the end of the text when it never does. */
function closingQuote(text: string, quote: string, from: number): number {
  for (let at = text.indexOf(quote, from); at >= 0; at = text.indexOf(quote, at + quote.length)) {
    // Escaped once more than the one that opened it, it is part of the value.
    if (text[at - 1] !== '\\') return at;
  }
  return text.length;
}
