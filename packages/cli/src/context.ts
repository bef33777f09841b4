import { readFileSync } from 'node:fs';
import type { Implementation } from '@tenon/mcp-client';
import type { Command, OptionValues } from 'commander';
import type { Terminal } from './terminal/terminal.js';

/** The dependencies of a command. */
export interface CommandContext {
  readonly terminal: Terminal;
  /** The words after `--`: the command of a server. */
  readonly serverCommand: readonly string[];
  /** Aborts when the user presses Ctrl+C. */
  readonly signal: AbortSignal;
}

/** The line of a command. */
export interface CommandLine<Options> extends CommandContext {
  /** The arguments of the command, without the command after `--`. */
  readonly words: readonly string[];
  readonly options: Options;
}

/** Adds a command to the program. It must be fast: the code that runs the command is imported by its action. */
export type Declare = (program: Command, context: CommandContext) => void;

/** Declares a command with the function that runs it. The code of the function is loaded when the command runs. */
export function runs<Options>(
  declare: (program: Command) => Command,
  load: () => Promise<(line: CommandLine<Options>) => Promise<void>>,
): Declare {
  return (program, context) => {
    const command = declare(program);
    command.action(async () => {
      const words = command.processedArgs.flat().filter((word) => word !== undefined);
      const run = await load();
      await run({ ...context, words, options: command.opts<Options & OptionValues>() });
    });
  };
}

/** Returns the version of this program. */
export function ownVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  return (manifest as { readonly version: string }).version;
}

/** Returns the client info of this program. */
export function clientInfo(): Implementation {
  return { name: 'tenon', version: ownVersion() };
}
