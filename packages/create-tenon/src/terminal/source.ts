import type { Readable, Writable } from 'node:stream';

/** The streams, the environment and the signal of one run of the program. */
export interface Source {
  readonly input: Readable & { readonly isTTY?: boolean };
  readonly output: Writable & { readonly isTTY?: boolean };
  readonly error: Writable & { readonly isTTY?: boolean };
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The working folder: an absolute path. */
  readonly cwd: string;
  /** Aborts when the user presses Ctrl+C while a command runs. */
  readonly signal: AbortSignal;
}

/** Returns whether a person can be asked: stdin and stderr are terminals, and `CI` is not set. */
export function isInteractive({ input, error, env }: Source): boolean {
  return input.isTTY === true && error.isTTY === true && (env.CI ?? '') === '';
}
