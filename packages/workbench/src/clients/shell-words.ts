import { printableText } from '../texts/printable.js';

/** Returns words as a line for a shell, to show or to copy. */
export function commandLine(words: readonly string[]): string {
  return words.map((word) => (/^[\w@%+=:,./\\-]+$/.test(word) ? word : quoted(word))).join(' ');
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/** Returns a text of a file as one line for people: without control characters, and with visible line ends. */
export function visibleText(text: string): string {
  return printableText(text.replaceAll('\r', '\\r').replaceAll('\n', '\\n'));
}
