import { clearScreenDown, createInterface, cursorTo, type Interface, moveCursor } from 'node:readline';
import { onAbort } from '@tenon/foundation';
import type { Terminal } from '../../terminal/terminal.js';

/** Lines that the arrow keys bring back, at most. */
const mostHistory = 200;

/** The next input of the user: a text of one or more lines, Ctrl+C on an empty line, or the end. */
type LineInput = { readonly text: string } | 'interrupt' | 'end';

/** Reads what the user writes, line by line. */
export interface LineReader {
  next(signal: AbortSignal): Promise<LineInput>;
  /** Prints while a line is read, above it. */
  aside(print: () => void): void;
  close(): void;
}

/** Returns the reader of a terminal, with history and completion, or of another stream. @param words - the words that Tab completes. */
export function lineReader(terminal: Terminal, words: readonly string[]): LineReader {
  return terminal.isInteractive ? new TerminalReader(terminal, words) : new StreamReader(terminal);
}

class TerminalReader implements LineReader {
  readonly #terminal: Terminal;
  readonly #words: readonly string[];
  #history: string[] = [];
  #reader: Interface | undefined;

  constructor(terminal: Terminal, words: readonly string[]) {
    this.#terminal = terminal;
    this.#words = words;
  }

  next(signal: AbortSignal): Promise<LineInput> {
    const { input, error } = this.#terminal.source;
    const reader = createInterface({
      ...{ input, output: error, terminal: true, history: [...this.#history], historySize: mostHistory },
      prompt: this.#terminal.styled(`${this.#terminal.paintError(['cyan', 'bold'], '>')} `),
      completer: (line: string) => [
        line === '' ? [] : this.#words.filter((word) => word.startsWith(line)),
        line,
      ],
    });
    reader.on('history', (history: string[]) => {
      this.#history = history;
    });
    this.#reader = reader;
    return answerOf(reader, signal).finally(() => {
      this.#reader = undefined;
    });
  }

  aside(print: () => void): void {
    const { error } = this.#terminal.source;
    const reader = this.#reader;
    if (reader === undefined) {
      print();
      return;
    }
    moveCursor(error, 0, -reader.getCursorPos().rows);
    cursorTo(error, 0);
    clearScreenDown(error);
    print();
    reader.prompt(true);
  }

  close(): void {}
}

function answerOf(reader: Interface, signal: AbortSignal): Promise<LineInput> {
  return new Promise((resolve, reject) => {
    const lines: string[] = [];
    const end = (input: LineInput) => {
      release();
      resolve(input);
      reader.close();
    };
    const release = onAbort(signal, () => {
      reject(signal.reason);
      reader.close();
    });
    reader.on('line', (line) => {
      lines.push(line);
      // Pasted lines arrive at once, and are one text.
      if (lines.length === 1) setImmediate(() => end({ text: [...lines, reader.line].join('\n').trimEnd() }));
    });
    reader.on('SIGINT', () => {
      if (reader.line === '') end('interrupt');
      else reader.write(null, { ctrl: true, name: 'u' });
    });
    reader.on('close', () => {
      if (lines.length === 0) end('end');
    });
    reader.prompt();
  });
}

class StreamReader implements LineReader {
  readonly #reader: Interface;
  readonly #lines: AsyncIterator<string>;

  constructor({ source }: Terminal) {
    this.#reader = createInterface({ input: source.input, crlfDelay: Number.POSITIVE_INFINITY });
    this.#lines = this.#reader[Symbol.asyncIterator]();
  }

  async next(signal: AbortSignal): Promise<LineInput> {
    const release = onAbort(signal, () => this.#reader.close());
    const { done, value } = await this.#lines.next();
    release();
    return done === true ? 'end' : { text: value };
  }

  aside(print: () => void): void {
    print();
  }

  close(): void {
    this.#reader.close();
  }
}
