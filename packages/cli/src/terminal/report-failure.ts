import { withoutControls } from '@tenon/mcp-protocol';
import { failureOf, WorkbenchError } from '@tenon/mcp-workbench';
import { CommanderError } from 'commander';
import { errorCodes, exitCodes } from '../exit-codes.js';
import type { Terminal } from './terminal.js';

/** Prints an error to stderr, as one line of JSON if asked for, and returns the exit code. */
export function reportFailure(
  error: unknown,
  { terminal, json }: { terminal: Terminal; json: boolean },
): number {
  const failure = error instanceof CommanderError ? usageError(error) : failureOf(error);
  const exitCode = failure === undefined ? 1 : exitCodes[failure.reason];
  if (json) terminal.note(JSON.stringify({ error: jsonOf(error, failure, exitCode) }));
  else terminal.note(textOf(error, failure, terminal));
  return exitCode;
}

function jsonOf(error: unknown, failure: WorkbenchError | undefined, exitCode: number): object {
  const message = failure?.message ?? messageOf(error);
  const { hint } = failure ?? {};
  const code = failure === undefined ? 'error' : errorCodes[failure.reason];
  return { code, exitCode, message, ...(hint !== undefined && { hint }) };
}

function textOf(error: unknown, failure: WorkbenchError | undefined, { paintError }: Terminal): string {
  const prefix = paintError(['red', 'bold'], 'error:');
  if (failure === undefined) return `${prefix} ${error instanceof Error ? error.stack : String(error)}`;
  const hint =
    failure.hint === undefined ? '' : `\n${paintError('cyan', 'hint:')} ${withoutControls(failure.hint)}`;
  return `${prefix} ${withoutControls(failure.message)}${hint}`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Returns the parser's error as ours. Its help was printed if there was no command at all. */
function usageError({ code, message }: CommanderError): WorkbenchError {
  if (code === 'commander.help') return new WorkbenchError('usage', 'A command is missing.');
  return new WorkbenchError('usage', message.replace(/^error: /, ''), { hint: 'See "tenon --help".' });
}
