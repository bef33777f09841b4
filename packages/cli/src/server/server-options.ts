import type { Command } from 'commander';
import { InvalidArgumentError, Option } from 'commander';

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

/** Adds the options of {@link ServerOptions} to a command. */
export function withServerOptions(command: Command): Command {
  return command
    .option(
      '-H, --header <header>',
      'send an HTTP header, such as "Authorization: Bearer TOKEN"',
      addHeader,
      {},
    )
    .option('-e, --env <name=value>', "set a variable of the server's command", addVariable, {})
    .option('--cwd <folder>', "the working folder of the server's command")
    .option('--config <file>', 'look up the name of the server in this file only')
    .option('--trust', 'start a server from a file of this project without asking')
    .option('--revision <date>', 'use this revision of the protocol only')
    .addOption(
      new Option('--transport <name>', 'the transport of a URL')
        .choices(['auto', 'http', 'sse'])
        .default('auto'),
    )
    .option('--timeout <seconds>', 'seconds that the server may be silent', positiveNumber)
    .option('--stored-auth-only', 'do not open a browser to sign in')
    .option('--record <file>', 'add the messages to this recording')
    .option('--json', 'print JSON, and errors as one line of JSON');
}

/** Reads a number above zero. @throws InvalidArgumentError */
export function positiveNumber(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value) || value <= 0)
    throw new InvalidArgumentError('It must be a number above 0.');
  return value;
}

/** Reads `Name: value`. @throws InvalidArgumentError */
export function addHeader(text: string, headers: Readonly<Record<string, string>>): Record<string, string> {
  const [, name, value] = /^([^\s:]+):\s*(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined)
    throw new InvalidArgumentError('A header is written "Name: value".');
  return { ...headers, [name.toLowerCase()]: value };
}

/** Reads `NAME=value`. @throws InvalidArgumentError */
export function addVariable(
  text: string,
  variables: Readonly<Record<string, string>>,
): Record<string, string> {
  const [, name, value] = /^([^=\s]+)=(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined)
    throw new InvalidArgumentError('A variable is written NAME=value.');
  return { ...variables, [name]: value };
}
