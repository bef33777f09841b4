import { type LogLevel, logLevels } from '@tenon/mcp-protocol';
import { type Command, CommanderError, InvalidArgumentError, Option } from 'commander';

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

/** The server options of a command line that has none. */
export const noServerOptions = { header: {}, env: {}, transport: 'auto' } as const;

/** Adds the options of {@link ServerOptions} to a command, except those that have no effect there. */
export function withServerOptions(command: Command, without: readonly (keyof ServerOptions)[] = []): Command {
  const excluded: readonly string[] = without;
  for (const option of serverOptions.map(optionOf))
    if (!excluded.includes(option.attributeName())) command.addOption(option);
  return command;
}

const serverOptions: readonly OptionRow[] = [
  ['-H, --header <header>', 'send an HTTP header, such as "Authorization: Bearer TOKEN"', addHeader, {}],
  ['-e, --env <name=value>', "set a variable of the server's command", addVariable, {}],
  ['--cwd <folder>', "the working folder of the server's command"],
  ['--config <file>', 'look up the name of the server in this file only'],
  ['--trust', 'start a server from a file of this project without asking'],
  ['--revision <date>', 'use this revision of the protocol only'],
  ['--transport <name>', 'the transport of a URL', ['auto', 'http', 'sse'], 'auto'],
  ['--timeout <seconds>', 'seconds that the server may be silent', positiveNumber],
  ['--stored-auth-only', 'do not open a browser to sign in'],
  ['--record <file>', 'add the messages to this recording'],
  ['--json', 'print JSON, and errors as one line of JSON'],
];

/** An option of a command: its flags and its description; how its value is read, or the values that it has; and its default. */
export type OptionRow = readonly [
  flags: string,
  description: string,
  value?: ((text: string, before: never) => unknown) | readonly string[],
  initial?: unknown,
];

/** Returns the option of a row. */
export function optionOf([flags, description, value, initial]: OptionRow): Option {
  const option = new Option(flags, description).default(initial);
  if (typeof value === 'function')
    return option.argParser(value as (text: string, before: unknown) => unknown);
  return value === undefined ? option : option.choices(value);
}

/** Reads a number above zero. @throws InvalidArgumentError */
export function positiveNumber(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value) || value <= 0)
    throw new InvalidArgumentError('It must be a number above 0.');
  return value;
}

/** Reads a whole number above zero. @throws InvalidArgumentError */
export function wholeNumber(text: string): number {
  const value = positiveNumber(text);
  if (!Number.isInteger(value)) throw new InvalidArgumentError('It must be a whole number above 0.');
  return value;
}

/** Reads `Name: value`. @throws CommanderError without the text, which may be a secret. */
export function addHeader(text: string, headers: Readonly<Record<string, string>>): Record<string, string> {
  const [, name, value] = /^([^\s:]+):\s*(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined)
    throw malformed('--header', 'A header is written "Name: value".');
  return { ...headers, [name.toLowerCase()]: value };
}

/** Reads `NAME=value`. @throws CommanderError without the text, which may be a secret. */
export function addVariable(
  text: string,
  variables: Readonly<Record<string, string>>,
): Record<string, string> {
  const [, name, value] = /^([^=\s]+)=(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined)
    throw malformed('--env', 'A variable is written NAME=value.');
  return { ...variables, [name]: value };
}

/** The parser prints the value of an argument with its own error. */
function malformed(option: string, rule: string): CommanderError {
  return new CommanderError(
    1,
    'tenon.malformed',
    `The value of ${option} is malformed: it is not shown, as it may be a secret. ${rule}`,
  );
}

/** Reads a port. @throws InvalidArgumentError */
export function portNumber(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535)
    throw new InvalidArgumentError('A port is a number from 0 to 65535.');
  return port;
}

/** The most values of an option that may be repeated. */
const mostValues = 1_000;

/** Collects the values of an option that may be repeated. @throws InvalidArgumentError */
export function collect(value: string, values: readonly string[] = []): readonly string[] {
  if (values.length >= mostValues)
    throw new InvalidArgumentError(`It can be repeated ${mostValues} times at most.`);
  return [...values, value];
}

/** Reads the name of a log level. @throws InvalidArgumentError */
export function logLevel(text: string): LogLevel {
  const level = logLevels.find((one) => one === text);
  if (level !== undefined) return level;
  throw new InvalidArgumentError(`It must be one of ${logLevels.join(', ')}.`);
}
