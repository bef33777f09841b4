import type { Terminal } from '../../terminal/terminal.js';
import { lineWidth } from './shown-text.js';

const indentation = '  ';

/**
 * Prints a text that arrives in parts to stdout. On a terminal, lines are broken between words; elsewhere whole lines are printed as they are.
 */
export class TextFlow {
  readonly #terminal: Terminal;
  /** The text that is not printed yet: the beginning of a word, or of a line. */
  #rest = '';
  #column = 0;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  add(text: string): void {
    const isTerminal = this.#terminal.source.output.isTTY === true;
    const all = this.#rest + text;
    // The end of a part may be within a word, or between the halves of a character; spaces before a break are left out.
    const end = isTerminal ? all.search(/\s*\S*$/) : all.lastIndexOf('\n') + 1;
    this.#rest = all.slice(end);
    if (end === 0) return;
    if (isTerminal) this.#wrap(all.slice(0, end));
    else this.#terminal.print(all.slice(0, end - 1));
  }

  /** Ends the text with a line feed, if there is one. */
  end(): void {
    if (this.#terminal.source.output.isTTY !== true) {
      if (this.#rest !== '') this.#terminal.print(this.#rest);
    } else {
      this.#wrap(this.#rest);
      if (this.#column > 0) this.#terminal.print('');
    }
    this.#rest = '';
    this.#column = 0;
  }

  #wrap(text: string): void {
    const width = lineWidth(this.#terminal.columns, 1);
    let line = '';
    for (const part of text.match(/\n|[^\S\n]+|\S+/g) ?? []) {
      const isWord = /\S/.test(part);
      if (part === '\n' || (isWord && this.#column > 0 && this.#column + part.length > width)) {
        line = `${line.trimEnd()}\n`;
        this.#column = 0;
      }
      if (part === '\n') continue;
      if (this.#column === 0) line += indentation;
      line += part;
      this.#column = (this.#column === 0 ? indentation.length : this.#column) + part.length;
    }
    this.#terminal.printPart(line);
  }
}
