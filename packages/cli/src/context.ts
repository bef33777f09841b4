import type { Command } from 'commander';
import type { Terminal } from './terminal/terminal.js';

/** The dependencies of a command. */
export interface CommandContext {
  readonly terminal: Terminal;
  /** The words after `--`: the command of a server. */
  readonly serverCommand: readonly string[];
  /** Aborts when the user presses Ctrl+C. */
  readonly signal: AbortSignal;
}

/** Adds a command to the program. It must be fast: the code that runs the command is imported by its action. */
export type Declare = (program: Command, context: CommandContext) => void;
