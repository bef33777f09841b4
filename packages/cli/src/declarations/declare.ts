import { Argument, type Command, type Option } from 'commander';
import type { CommandContext, CommandLine } from '../context.js';
import { type OptionRow, optionOf, type ServerOptions, withServerOptions } from '../server/server-options.js';

/** A command of the program. */
export interface CommandRow {
  readonly name: string;
  /** The arguments, as the parser writes them (`<file>`, `[server]`, `[words...]`), and their descriptions. */
  readonly words?: readonly (readonly [word: string, description?: string])[];
  /** The usage in the help. Default: that of the words. */
  readonly usage?: string;
  readonly about: string;
  readonly options?: readonly (OptionRow | Option)[];
  /** The command has the options of a connection to a server, except those that have no effect. Default: it has none of them. */
  readonly server?: { readonly without?: readonly (keyof ServerOptions)[] };
  /** The text below the options in the help. */
  readonly help?: string;
  /** Loads the function that runs the command: the start of the program must be fast. Absent for a command with subcommands. */
  readonly run?: () => Promise<(line: CommandLine<never>) => Promise<void>>;
  readonly commands?: readonly CommandRow[];
}

/** The argument of commands that use a server. */
export const server = ['[server]', 'a URL, a .ts or .js file, or a configured name'] as const;

/** Adds a command to the program. */
export function declare(program: Command, row: CommandRow, context: CommandContext): void {
  const { name, words = [], usage, about, options = [], help, run, commands = [] } = row;
  const command = program.command(name).description(about);
  for (const [word, description] of words) command.addArgument(new Argument(word, description));
  if (usage !== undefined) command.usage(usage);
  for (const option of options) command.addOption('flags' in option ? option : optionOf(option));
  if (row.server !== undefined) withServerOptions(command, row.server.without);
  if (help !== undefined) command.addHelpText('after', help);
  if (commands.length > 0) command.helpCommand(false);
  for (const one of commands) declare(command, one, context);
  if (run === undefined) return;
  command.action(async () => {
    const given = command.processedArgs.flat().filter((word) => word !== undefined);
    const runCommand = await run();
    await runCommand({ ...context, words: given, options: command.opts() as never });
  });
}
