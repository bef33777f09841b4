import { type Command, InvalidArgumentError } from 'commander';

/** Removes options that a command does not have. */
export function withoutOptions(command: Command, names: readonly string[]): Command {
  const options = command.options as Command['options'][number][];
  for (const name of names) {
    const index = options.findIndex((option) => option.attributeName() === name);
    if (index >= 0) options.splice(index, 1);
  }
  return command;
}

/** Reads a port. @throws InvalidArgumentError */
export function portNumber(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535)
    throw new InvalidArgumentError('A port is a number from 0 to 65535.');
  return port;
}

/** Collects the values of an option that may be repeated. */
export function collect(value: string, values: readonly string[] = []): readonly string[] {
  return [...values, value];
}
