import type { Readable, Writable } from 'node:stream';
import { withoutControls } from '@tenon/mcp-protocol';
import { type Paint, painter } from './paint.js';

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

/** Prints results to stdout, and everything else to stderr. */
export class Terminal {
  readonly source: TerminalSource;
  /** Colours for stdout; texts stay as they are if stdout is no terminal. */
  readonly paint: Paint;
  /** Colours for stderr. */
  readonly paintError: Paint;
  /** Returns a text of a server for stdout: without control characters if it is a terminal. */
  readonly fromServer: (text: string) => string;
  #status = '';

  constructor(source: TerminalSource) {
    this.source = source;
    this.paint = painter(source.output.isTTY === true, source.env);
    this.paintError = painter(source.error.isTTY === true, source.env);
    this.fromServer = source.output.isTTY === true ? withoutControls : (text) => text;
  }

  /** True if a person can be asked: stdin and stderr are terminals. */
  get isInteractive(): boolean {
    const { input, error, env } = this.source;
    return input.isTTY === true && error.isTTY === true && (env.CI ?? '') === '';
  }

  /** The width of stdout in columns; 100 if it is no terminal. */
  get columns(): number {
    return this.source.output.columns ?? 100;
  }

  /** Prints a result to stdout, with a line feed. */
  print(text: string): void {
    this.clearStatus();
    this.source.output.write(`${text}\n`);
  }

  /** Prints a value to stdout as JSON: on a terminal indented, otherwise in one line. */
  printJson(value: unknown): void {
    const indentation = this.source.output.isTTY === true ? 2 : undefined;
    this.print(JSON.stringify(value, undefined, indentation));
  }

  /** Prints a message for the user to stderr, with a line feed. */
  note(text: string): void {
    this.clearStatus();
    this.source.error.write(`${text}\n`);
  }

  /** Shows a line that the next output replaces, such as the progress of a call. Only on a terminal. */
  status(text: string): void {
    if (this.source.error.isTTY !== true) return;
    this.clearStatus();
    this.#status = withoutControls(text.replaceAll('\n', ' ')).slice(
      0,
      (this.source.error.columns ?? 80) - 1,
    );
    this.source.error.write(this.#status);
  }

  /** Removes the line that `status` shows. */
  clearStatus(): void {
    if (this.#status !== '') this.source.error.write('\r\x1b[K');
    this.#status = '';
  }
}
