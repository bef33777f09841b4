import { redactThoroughly } from '@tenon/foundation/redaction/thorough';
import { failureOf, WorkbenchError } from '@tenon/mcp-workbench';
import { CommanderError } from 'commander';
import { errorCodes, exitCodes } from '../exit-codes.js';
import type { Terminal } from './terminal.js';

/** The circumstances of an error. */
interface FailedRun {
  readonly terminal: Terminal;
  readonly json: boolean;
  /** The command that ran; undefined if there is none of that name. */
  readonly command: string | undefined;
  /** The words of the command line, before `--`. */
  readonly words: readonly string[];
}

/** Prints an error to stderr without secrets, as one line of JSON if asked for, and returns the exit code. */
export function reportFailure(error: unknown, { terminal, json, command, words }: FailedRun): number {
  const failure = error instanceof CommanderError ? usageError(error, command, words) : failureOf(error);
  const exitCode = failure === undefined ? 1 : exitCodes[failure.reason];
  if (json) terminal.noteJson({ error: jsonOf(error, failure, exitCode) });
  else terminal.note(failureText(error, failure, terminal));
  return exitCode;
}

function jsonOf(error: unknown, failure: WorkbenchError | undefined, exitCode: number): object {
  const message = ownWords(failure?.message ?? messageOf(error));
  const { hint } = failure ?? {};
  const code = failure === undefined ? 'error' : errorCodes[failure.reason];
  return { code, exitCode, message, ...(hint !== undefined && { hint }) };
}

function failureText(error: unknown, failure: WorkbenchError | undefined, { paintError }: Terminal): string {
  const prefix = paintError(['red', 'bold'], 'error:');
  if (failure === undefined)
    return `${prefix} ${redactThoroughly((error instanceof Error && error.stack) || String(error))}`;
  const hint = failure.hint === undefined ? '' : `\n${paintError('cyan', 'hint:')} ${failure.hint}`;
  return `${prefix} ${ownWords(failure.message)}${hint}`;
}

/** Options of the library, as its errors name them, that an option of the command line sets. */
const ownOptions: readonly (readonly [name: RegExp, option: string])[] = [
  [
    /allow it more with the option "connectTimeout", or name one with "revision"/g,
    'name one with --revision',
  ],
  [/the option "(?:timeout|connectTimeout|limits\.requestTimeout)"/g, '--timeout'],
  [/the option "revision"/g, '--revision'],
];

/** Returns the message of an error without secrets, with the options of the command line in place of those of the library. */
function ownWords(message: string): string {
  return ownOptions.reduce(
    (text, [name, option]) => text.replaceAll(name, option),
    redactThoroughly(message),
  );
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

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
function usageError(
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
