import { type LogLevel, logLevels } from '@tenon/mcp-protocol';
import { CommanderError, InvalidArgumentError } from 'commander';

/** Reads a number above zero. @throws InvalidArgumentError */
export function positiveNumber(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value) || value <= 0)
    throw new InvalidArgumentError('It must be a number above 0.');
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
