import { type Secrecy, secrecyOf } from './names.js';

/** The replacement of a secret. */
export const redacted = '[redacted]';

// A terminal's colour sequence is often between a name and its value, or before a word.
const escapeCharacter = String.raw`\u001b`;
const colour = String.raw`${escapeCharacter}\[[\d;]{0,16}m`;
const blanks = String.raw`(?:${colour}){0,2}[ \t]{0,4}(?:${colour}){0,2}`;
const wordStart = String.raw`(?:(?<![\w-])(?<!${escapeCharacter}\[[\d;]{0,16})|(?<=${colour}))`;

// Each expression starts at a word, and takes time in proportion to the text.
const webToken = new RegExp(String.raw`${wordStart}eyJ[\w-]{7,}(?:\.[\w-]*){2,4}`, 'g');
const bearer = new RegExp(String.raw`${wordStart}(bearer${blanks})([\w\-.+/=~]+)`, 'gi');
const userInfo = /([a-z+]{1,32}:\/\/)([^\s/?#"'<>\\]+)@/gi;
const assignment = new RegExp(
  String.raw`${wordStart}([\w-]{1,128})${blanks}\\{0,3}["'\x60]?\]?${blanks}(?:=>|[:=])${blanks}(\\{0,3}["'\x60])?`,
  'g',
);
const bareValue = new RegExp(String.raw`[^\s${escapeCharacter}&,;"'\x60<>()[\]{}|\\]*`, 'y');
const restOfLine = new RegExp(String.raw`[^\r\n${escapeCharacter}"'\x60\\]*`, 'y');
const wholeLine = /authorization|cookie/i;
// Words that follow a name in an ordinary sentence.
const ordinary =
  /^(?:true|false|null|undefined|nil|none|an?|the|its?|this|that|they|is|are|was|were|ha[sd]|have|must|should|can|cannot|could|may|might|will|would|does|do|not?|too|used?|needs|expected|missing|required|invalid|unknown|wrong|given|found|set|unset|empty)$/i;

/**
 * Returns a text without bearer tokens, JSON Web Tokens, user information of URLs, and values after a name such as `password`.
 * Takes time in proportion to the text.
 */
export function redactText(text: string): string {
  const clean = text
    .replace(webToken, redacted)
    .replace(bearer, (all: string, scheme: string, value: string) =>
      looksRandom(value) ? scheme + redacted : all,
    );
  return redactAssigned(clean.includes('://') ? clean.replace(userInfo, withoutUserInfo) : clean);
}

// A user name without a password, as in ssh://git@host, is not a secret, unless a browser would send it as one.
function withoutUserInfo(all: string, scheme: string, info: string): string {
  return info.includes(':') || /^https?:/i.test(scheme) ? `${scheme}${redacted}@` : all;
}

function redactAssigned(text: string): string {
  let clean = '';
  let done = 0;
  assignment.lastIndex = 0;
  for (let match = assignment.exec(text); match !== null; match = assignment.exec(text)) {
    const [all, name = '', quote] = match;
    const secrecy = secrecyOf(name);
    const from = assignment.lastIndex;
    if (secrecy === undefined || text[from] === '[' || text[from] === '{') continue;
    const to = quote === undefined ? bareEnd(text, name, from) : closingQuote(text, quote, from);
    const value = text.slice(from, to);
    const isStated = quote !== undefined || all.trimEnd().endsWith('=');
    if (!isSecret(value, secrecy, isStated)) continue;
    clean += text.slice(done, from) + redacted;
    done = to;
    assignment.lastIndex = to;
  }
  return done === 0 ? text : clean + text.slice(done);
}

/** @param isStated - true if the value is quoted or follows an equals sign, so that a short word counts too. */
function isSecret(value: string, secrecy: Secrecy, isStated: boolean): boolean {
  if (value === '' || ordinary.test(value)) return false;
  return secrecy === 'all' || (isStated ? !/^[\d.]*$/.test(value) : looksRandom(value));
}

/** True for text that may be a credential where one is expected: neither an ordinary word nor a number. */
export function looksRandom(text: string): boolean {
  if (text.length < 6) return false;
  return text.length >= 20 || (/\d/.test(text) && /[^\d.,:-]/.test(text));
}

function bareEnd(text: string, name: string, from: number): number {
  const pattern = wholeLine.test(name) ? restOfLine : bareValue;
  pattern.lastIndex = from;
  pattern.test(text);
  return pattern.lastIndex;
}

/** Returns the index of the closing quote; the end of the text if there is none. */
export function closingQuote(text: string, quote: string, from: number): number {
  for (let at = text.indexOf(quote, from); at >= 0; at = text.indexOf(quote, at + quote.length)) {
    // A quote that is escaped more than the opening quote is a part of the value.
    if (text[at - 1] !== '\\') return at;
  }
  return text.length;
}
