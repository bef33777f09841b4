import type { ParseArgsConfig, parseArgs } from 'node:util';

type Options = NonNullable<ParseArgsConfig['options']>;

/** The values of options. */
export type Values<O extends Options> = ReturnType<typeof parseArgs<{ options: O }>>['values'];

/** A command. */
export interface Command<O extends Options> {
  readonly name: string;
  /** The text of `--help`. */
  readonly help: string;
  /** The options beside `--help`. */
  readonly options: O;
  run(values: Values<O>): void | Promise<void>;
}

/** Parses the options of a command, and runs it. Wrong options end it with exit code 2, other errors with 1. */
export declare function command<const O extends Options>(command: Command<O>): Promise<void>;
/** Returns the number in the text of an option. @throws RangeError for other texts, and for numbers that are too small */
export declare function wholeNumber(text: string | undefined, name: string, least?: number): number;
/** Returns the given seed, or a random one. */
export declare function seedOf(text: string | undefined): number;
/** Prints progress: on one line of a terminal; into files and pipes every ten seconds. */
export declare function progress(line: string): void;
/** Prints the results of a command, as JSON or as text. The command exits with 1 if a verdict fails. */
export declare function conclude(given: {
  json: boolean;
  text: () => string;
  results: { verdicts: readonly { holds: boolean }[]; [name: string]: unknown };
}): void;
/** Returns a signal that aborts at the first Ctrl-C, and prints a message then. The second one ends the process. */
export declare function interrupted(message: string): AbortSignal;
