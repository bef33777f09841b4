import { type Command, Option } from 'commander';
import { addHeader, addVariable, positiveNumber } from './option-values.js';

/** The options of commands that connect to a server. */
export interface ServerOptions {
  readonly header: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly config?: string;
  /** Starts a server from a file of the project without a prompt. */
  readonly trust?: true;
  readonly revision?: string;
  readonly transport: 'auto' | 'http' | 'sse';
  /** In seconds. */
  readonly timeout?: number;
  /** Never opens a browser; fails with exit code 3 if no stored token fits. */
  readonly storedAuthOnly?: true;
  /** The recording to which the messages are added. */
  readonly record?: string;
  readonly json?: true;
}

/** Adds the options of {@link ServerOptions} to a command, except those that have no effect there. */
export function withServerOptions(command: Command, without: readonly (keyof ServerOptions)[] = []): Command {
  const excluded: readonly string[] = without;
  for (const option of serverOptions())
    if (!excluded.includes(option.attributeName())) command.addOption(option);
  return command;
}

function serverOptions(): readonly Option[] {
  return [
    new Option('-H, --header <header>', 'send an HTTP header, such as "Authorization: Bearer TOKEN"')
      .argParser(addHeader)
      .default({}),
    new Option('-e, --env <name=value>', "set a variable of the server's command")
      .argParser(addVariable)
      .default({}),
    new Option('--cwd <folder>', "the working folder of the server's command"),
    new Option('--config <file>', 'look up the name of the server in this file only'),
    new Option('--trust', 'start a server from a file of this project without asking'),
    new Option('--revision <date>', 'use this revision of the protocol only'),
    new Option('--transport <name>', 'the transport of a URL')
      .choices(['auto', 'http', 'sse'])
      .default('auto'),
    new Option('--timeout <seconds>', 'seconds that the server may be silent').argParser(positiveNumber),
    new Option('--stored-auth-only', 'do not open a browser to sign in'),
    new Option('--record <file>', 'add the messages to this recording'),
    new Option('--json', 'print JSON, and errors as one line of JSON'),
  ];
}
