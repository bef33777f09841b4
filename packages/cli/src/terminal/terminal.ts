import { randomUUID } from 'node:crypto';
import { type Readable, Writable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { printableJson, printableText } from '@tenon/foundation';
import { type Paint, painter, withStyles } from './paint.js';

/** The streams and the environment of one run of the program. */
export interface TerminalSource {
  readonly input: Readable & { readonly isTTY?: boolean };
  readonly output: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  readonly error: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The working folder: an absolute path. */
  readonly cwd: string;
  /** Opens a URL in a browser. Default: the browser of the user, if there is a screen. */
  readonly openUrl?: (url: string) => void | Promise<void>;
}

/**
 * Prints results to stdout, and everything else to stderr. Texts may come from a server or a file: they are printed without control
 * characters other than line feeds and tabs, and no line of them is a command of a workflow; JSON has them as `\uXXXX`. Only `paint` and `paintError` add escape sequences.
 */
export class Terminal {
  readonly source: TerminalSource;
  /** Colours for stdout; texts stay as they are if stdout is not a terminal. */
  readonly paint: Paint;
  /** Colours for stderr. */
  readonly paintError: Paint;
  /** Begins the styles of a text until it is printed. Random, so that a text of a server cannot contain it. */
  readonly #mark = randomUUID();
  #status = '';

  constructor(source: TerminalSource) {
    this.source = source;
    this.paint = painter(source.output.isTTY === true, source.env, this.#mark);
    this.paintError = painter(source.error.isTTY === true, source.env, this.#mark);
  }

  /** True if a person can be asked: stdin and stderr are terminals. */
  get isInteractive(): boolean {
    const { input, error, env } = this.source;
    return input.isTTY === true && error.isTTY === true && (env.CI ?? '') === '';
  }

  /** The width of stdout in columns; 100 if it is not a terminal. */
  get columns(): number {
    return this.source.output.columns ?? 100;
  }

  /** The width of stderr in columns; 100 if it is not a terminal. */
  get errorColumns(): number {
    return this.source.error.columns ?? 100;
  }

  /** Prints a result to stdout, with a line feed. */
  print(text: string): void {
    this.#write(withStyles(text, this.#mark));
  }

  /** Prints a part of a line to stdout: there is no line feed after it. */
  printPart(text: string): void {
    this.clearStatus();
    this.source.output.write(withStyles(text, this.#mark));
  }

  /** Returns a text of this program with the escape sequences of its styles, for a library that prints it. */
  styled(text: string): string {
    return withStyles(text, this.#mark);
  }

  /** Prints a command of a GitHub workflow to stdout. Its values must be escaped. */
  printWorkflowCommand(command: string): void {
    this.#write(printableText(command));
  }

  /** Prints a value to stdout as JSON: on a terminal indented, otherwise in one line. */
  printJson(value: unknown): void {
    this.#write(printableJson(value, this.source.output.isTTY === true ? 2 : undefined));
  }

  /** Prints a value to stdout as one line of JSON. */
  printJsonLine(value: unknown): void {
    this.#write(printableJson(value));
  }

  /** Prints the escape sequences of an image to stdout, which must have no text of a server. */
  printImage(sequences: string): void {
    this.#write(sequences);
  }

  /** Prints a message for the user to stderr, with a line feed. */
  note(text: string): void {
    this.clearStatus();
    this.source.error.write(`${withStyles(text, this.#mark)}\n`);
  }

  /** Prints a value to stderr as one line of JSON. */
  noteJson(value: unknown): void {
    this.note(printableJson(value));
  }

  /** Returns a stream that prints its bytes to stderr as text, such as the stderr of a server. */
  errorText(): Writable {
    const decoder = new StringDecoder();
    return new Writable({
      write: (chunk: Buffer, _, done) => {
        this.clearStatus();
        this.source.error.write(printableText(decoder.write(chunk)), done);
      },
    });
  }

  /** Shows a line that the next output replaces, such as the progress of a call. Only on a terminal. */
  status(text: string): void {
    if (this.source.error.isTTY !== true) return;
    this.clearStatus();
    const line = printableText(text).replaceAll('\n', ' ');
    this.#status = line.slice(0, this.errorColumns - 1);
    this.source.error.write(this.#status);
  }

  /** Removes the line that `status` shows. */
  clearStatus(): void {
    if (this.#status !== '') this.source.error.write('\r\x1b[K');
    this.#status = '';
  }

  #write(text: string): void {
    this.clearStatus();
    this.source.output.write(`${text}\n`);
  }
}
