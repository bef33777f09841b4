import { WorkbenchError } from '@tenon/mcp-workbench';
import type { CommanderError } from 'commander';

/** Words that other programs use for a command of this one. */
const otherWords: Readonly<Record<string, string>> = {
  add: 'tenon install',
  auth: 'tenon login',
  benchmark: 'tenon bench',
  debug: 'tenon doctor',
  describe: 'tenon list',
  exec: 'tenon call',
  generate: 'tenon types',
  inspect: 'tenon list',
  publish: 'tenon publish-check',
  remove: 'tenon uninstall',
  run: 'tenon dev',
  serve: 'tenon dev',
  start: 'tenon dev',
  tools: 'tenon list --tools',
  validate: 'tenon lint',
};

/** Words of a person who wants a new project, which another program makes. */
const wordsOfCreation = ['create', 'init', 'new'];

/**
 * Returns the parser's error as ours. Its help was printed if there was no command at all.
 * @param command - the command with the wrong words; undefined if the command itself is wrong.
 */
export function usageError(
  { code, message }: CommanderError,
  command: string | undefined,
  words: readonly string[],
): WorkbenchError {
  if (code === 'commander.help') return new WorkbenchError('usage', 'A command is missing.');
  const [, text = '', close] = /^(?:error: )?(.*?)(?:\n\(Did you mean (.*)\?\))?$/s.exec(message) ?? [];
  const isWrongCommand = code === 'commander.unknownCommand' && command === undefined;
  const other = isWrongCommand ? otherCommand(words[0]) : undefined;
  const meant = other ?? (close === undefined ? undefined : `Did you mean ${close}?`);
  const hints = [
    ...(meant === undefined ? [] : [meant]),
    ...(code === 'commander.unknownOption' && command === 'call' && close === undefined
      ? ['Arguments of the tool are written name=value.']
      : []),
    `See "tenon ${command === undefined ? '' : `${command} `}--help".`,
  ];
  return new WorkbenchError('usage', text, { hint: hints.join(' ') });
}

function otherCommand(word = ''): string | undefined {
  if (wordsOfCreation.includes(word)) return 'A new project is made with "npm create tenon@latest NAME".';
  return Object.hasOwn(otherWords, word) ? `Did you mean "${otherWords[word]}"?` : undefined;
}
