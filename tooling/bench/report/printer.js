import { paintFor, textTable } from './table.js';

/** Prints results to standard output as they are found, and progress to a terminal only. */
export class Printer {
  #quiet;
  paint;

  /** @param {boolean} quiet true to print nothing to standard output */
  constructor(quiet) {
    this.#quiet = quiet;
    this.paint = paintFor(!quiet && process.stdout.isTTY === true && process.env.NO_COLOR === undefined);
  }

  /** @param {readonly string[]} lines */
  say(...lines) {
    this.progress('');
    if (!this.#quiet && lines.length > 0) console.log(lines.join('\n'));
  }

  /** @param {import('./sheets.js').Sheet} sheet */
  show(sheet) {
    this.say(textTable(sheet, this.paint));
  }

  /** @param {string} line replaces the line before */
  progress(line) {
    if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${line}`);
  }
}
