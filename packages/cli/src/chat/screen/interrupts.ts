import type { TerminalSource } from '../../terminal/terminal.js';

const interruptKey = String.fromCharCode(3);

type RawInput = TerminalSource['input'] & { setRawMode?(isRaw: boolean): unknown };

/**
 * Reads Ctrl+C from a terminal while a turn runs. Other keys are dropped, so that nothing typed before a prompt answers it, and nothing typed is
 * echoed between lines.
 */
export class Interrupts {
  readonly #input: RawInput;
  #listener: ((chunk: Buffer | string) => void) | undefined;

  constructor(input: TerminalSource['input']) {
    this.#input = input;
  }

  /** Calls `interrupt` with each Ctrl+C. Returns a function that ends this. */
  watch(interrupt: () => void): () => void {
    if (this.#input.isTTY !== true) return () => undefined;
    this.#listener = (chunk) => {
      for (const key of chunk.toString()) if (key === interruptKey) interrupt();
    };
    // Before the listener of a prompt, which would take Ctrl+C for an answer.
    this.#input.prependListener('data', this.#listener);
    this.resume();
    return () => this.#end();
  }

  /** Goes on after a prompt, which pauses the input. */
  resume(): void {
    if (this.#listener === undefined) return;
    this.#input.setRawMode?.(true);
    this.#input.resume();
  }

  #end(): void {
    if (this.#listener !== undefined) this.#input.off('data', this.#listener);
    this.#listener = undefined;
    this.#input.setRawMode?.(false);
    this.#input.pause();
  }
}
