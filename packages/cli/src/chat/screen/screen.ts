import { unlessAborted } from '@tenon/foundation';
import type { ContentFile } from '@tenon/mcp-workbench/calls';
import { printFile } from '../../content/print-content.js';
import type { Terminal } from '../../terminal/terminal.js';
import { lineWidth, textLines } from './shown-text.js';
import { TextFlow } from './text-flow.js';

/** Outputs that wait for the end of a prompt, at most. Later ones are dropped, and counted. */
const mostWaiting = 2_000;

/** The part of the terminal that shows a conversation. Output waits while a prompt is open, and there is one prompt at a time. */
export class Screen {
  readonly terminal: Terminal;
  readonly #flow: TextFlow;
  readonly #afterPrompt: () => void;
  #waiting: (() => void)[] = [];
  #dropped = 0;
  #isAsking = false;
  #aside: ((print: () => void) => void) | undefined;
  #last: Promise<unknown> = Promise.resolve();

  /** @param afterPrompt - called after each prompt, which leaves the input of a terminal paused. */
  constructor(terminal: Terminal, afterPrompt: () => void) {
    this.terminal = terminal;
    this.#flow = new TextFlow(terminal);
    this.#afterPrompt = afterPrompt;
  }

  /** Columns of a line. */
  get width(): number {
    return lineWidth(this.terminal.errorColumns, 1);
  }

  /** Prints a text about the conversation to stderr, with breaks between words. */
  noteText(text: string, { label = '' }: { readonly label?: string } = {}): void {
    const lines = textLines(text, this.width - label.length);
    const first = this.terminal.paintError(['red', 'bold'], label);
    this.note(first + lines.join(`\n${' '.repeat(label.length)}`));
  }

  /** Prints lines about the conversation to stderr. */
  note(text: string): void {
    this.#show(() => {
      this.#flow.end();
      this.terminal.note(text);
    });
  }

  /** Prints a part of the model's text to stdout. */
  say(text: string): void {
    this.#show(() => this.#flow.add(text));
  }

  /** Ends the text of the model. */
  endText(): void {
    this.#show(() => this.#flow.end());
  }

  /** Prints an image, or its type and size, to stdout. */
  file(file: ContentFile): void {
    this.#show(() => {
      this.#flow.end();
      printFile(file, this.terminal);
    });
  }

  /** Shows a line that the next output replaces. */
  status(text: string): void {
    if (!this.#isAsking) this.terminal.status(text);
  }

  /**
   * Prompts the user, after all earlier prompts. Rejects with the reason of the signal.
   * @param aside - prints while the prompt is open. Default: the output waits for the answer.
   */
  async ask<T>(
    prompt: () => Promise<T>,
    signal: AbortSignal,
    aside?: (print: () => void) => void,
  ): Promise<T> {
    const turn = this.#last.then(async () => {
      signal.throwIfAborted();
      this.#flow.end();
      this.terminal.clearStatus();
      this.#isAsking = true;
      this.#aside = aside;
      try {
        return await prompt();
      } finally {
        this.#isAsking = false;
        this.#afterPrompt();
        this.#flush();
      }
    });
    this.#last = turn.catch(() => undefined);
    return unlessAborted(turn, signal);
  }

  #show(output: () => void): void {
    if (!this.#isAsking) output();
    else if (this.#aside !== undefined) this.#aside(output);
    else if (this.#waiting.length < mostWaiting) this.#waiting.push(output);
    else this.#dropped++;
  }

  #flush(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const output of waiting) output();
    if (this.#dropped > 0) this.terminal.note(`${this.#dropped} lines were left out.`);
    this.#dropped = 0;
  }
}
