import { secrecyOf } from './names.js';
import {
  blanks,
  closingQuote,
  escapeCharacter,
  isSecret,
  quote,
  redacted,
  replaceSpans,
  type Span,
  stepOver,
  wordStart,
} from './words.js';

// A name with its value: after a mark, or after blanks if the name is an option of a command line.
const assignment = new RegExp(
  String.raw`${wordStart}([\w-]{1,128})(?:${blanks}(?:${quote})?\]?${blanks}(=>|[:=])${blanks}|[ \t]{1,4})(${quote})?`,
  'g',
);
const option = /^--[a-z]/i;
const bareValue = new RegExp(String.raw`[^\s${escapeCharacter}&,;"'\x60<>()[\]{}|\\]*`, 'y');
const bracketed =
  /\[[^\s"'`[\](){}<>\\]{1,256}\]|\([^\s"'`[\](){}<>\\]{1,256}\)|\{[^\s"'`[\](){}<>\\:]{1,256}\}|<[^\s"'`[\](){}<>\\]{1,256}>/y;
const restOfLine = new RegExp(String.raw`[^\r\n${escapeCharacter}"'\x60\\]*`, 'y');
const wholeLine = /authorization|cookie/i;
// Words that follow the name of an option in an ordinary sentence.
const sentence =
  /^(?:to|for|with|or|and|in|if|when|on|at|from|of|as|by|so|but|then|here|there|unless|before|after|which|where|only|once|both|instead|value|options?|flags?|arguments?|takes?|names?|sets?)\W?$/i;

/** Returns a text without the values after names such as `password`: `password=...`, `"password": "..."`, `--password ...`. */
export function redactAssigned(text: string): string {
  return replaceSpans(text, assignment, (match, from) => {
    const [, name = '', mark, opening] = match;
    const span = assignedValue(text, { name, mark, opening, from });
    // The word in place of a value may be the next name.
    if (span === undefined && mark === undefined) assignment.lastIndex = match.index + name.length;
    return span;
  });
}

interface Assigned {
  readonly name: string;
  /** Undefined for the value after an option. */
  readonly mark: string | undefined;
  readonly opening: string | undefined;
  readonly from: number;
}

function assignedValue(text: string, { name, mark, opening, from }: Assigned): Span | undefined {
  if (mark === undefined && !option.test(name)) return undefined;
  const secrecy = secrecyOf(name);
  if (secrecy === undefined || text.startsWith(redacted, from)) return undefined;
  const isOpen = opening === undefined && /[[({<]/.test(text[from] ?? '');
  const end = isOpen ? stepOver(bracketed, text, from) : endOf(text, { name, mark, opening, from });
  const [start, to] = isOpen && end > from ? [from + 1, end - 1] : [from, isOpen ? from : end];
  const value = text.slice(start, to);
  const isWord =
    mark === undefined && opening === undefined && (sentence.test(value) || value.startsWith('-'));
  return !isWord && isSecret(value, secrecy, opening !== undefined || mark !== ':')
    ? { from: start, to }
    : undefined;
}

function endOf(text: string, { name, mark, opening, from }: Assigned): number {
  if (opening !== undefined) return closingQuote(text, opening, from);
  return stepOver(mark !== undefined && wholeLine.test(name) ? restOfLine : bareValue, text, from);
}
