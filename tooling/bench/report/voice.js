import { paintFor, textTable } from './table.js';

/** Says what is found while it is found: to people on standard output, progress to a terminal only. */
export class Voice {
  #quiet;
  paint;

  /** @param {boolean} quiet leaves standard output to somebody else */
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

  /** @param {string} line that takes the place of the one before */
  progress(line) {
    if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${line}`);
  }
}
