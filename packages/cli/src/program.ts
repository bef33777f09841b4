import { Command, CommanderError, Help, Option } from 'commander';
import { type CommandContext, ownVersion } from './context.js';
import { connectCommands, declareCompletion } from './declarations/connect.js';
import { declare } from './declarations/declare.js';
import { developCommands } from './declarations/develop.js';
import { useCommands } from './declarations/use.js';
import { exitCodeHelp } from './exit-codes.js';

const targets = `SERVER is a URL, or a name from the configuration of an MCP client. Or write a command at the end:
  tenon list https://example.com/mcp
  tenon list -- node server.js
`;

/** The commands by the headings of the help, in its order. */
const commandGroups = {
  'Use a server:': useCommands,
  'Develop and test a server:': developCommands,
  'Connect programs and people:': connectCommands,
};

/** Returns the program with all commands. It throws a `CommanderError` where it would exit. */
export function createProgram(context: CommandContext): Command {
  const { output, error } = context.terminal.source;
  const program = new Command('tenon')
    .description('Tools for Model Context Protocol (MCP) servers.')
    .usage('COMMAND [SERVER] [options] [-- SERVER-COMMAND ARGS...]')
    .helpOption('-h, --help', 'show help')
    .helpCommand(false)
    .addHelpText('after', `\n${targets}\n${exitCodeHelp}`)
    .configureHelp({
      // The usage of a command is in its own help.
      subcommandTerm: (command) => command.name(),
      optionDescription: (option) => defaultHelp.optionDescription(withoutEmptyDefault(option)),
    })
    .enablePositionalOptions()
    .showSuggestionAfterError(true)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => output.write(text),
      writeErr: (text) => error.write(text),
      // Errors are printed where exit codes are chosen.
      outputError: () => {},
      getOutHelpWidth: () => context.terminal.columns,
      getOutHasColors: () => false,
    })
    .hook('preAction', (_, command) => requireOneServer(command, context.serverCommand));
  program.version(ownVersion(), '-V, --version', 'show the version');
  for (const [heading, commands] of Object.entries(commandGroups)) {
    program.commandsGroup(heading);
    for (const row of commands) declare(program, row, context);
  }
  declareCompletion(program, context);
  return program;
}

/** Rejects a server that is named twice: by a word, and by the command after `--`, which would hide the word. */
function requireOneServer({ registeredArguments, args }: Command, serverCommand: readonly string[]): void {
  const index = registeredArguments.findIndex((argument) => argument.name() === 'server');
  const word = args[index];
  if (word === undefined || serverCommand.length === 0) return;
  const message = `Two servers are named: "${word}", and the command after --. Leave one out.`;
  throw new CommanderError(1, 'tenon.twoServers', message);
}

const defaultHelp = new Help();

/** Returns an option that is described without its default, if that is an empty record. */
function withoutEmptyDefault(option: Option): Option {
  if (JSON.stringify(option.defaultValue) !== '{}') return option;
  return new Option(option.flags, option.description);
}
