import { redactThoroughly } from '@tenon/foundation/redaction/thorough';
import { failureOf, type WorkbenchError } from '@tenon/mcp-workbench';
import { CommanderError } from 'commander';
import { errorCodes, exitCodes } from '../exit-codes.js';
import type { Terminal } from './terminal.js';
import { usageError } from './usage-error.js';

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
  const message = redactThoroughly(failure?.message ?? messageOf(error));
  const { hint } = failure ?? {};
  const code = failure === undefined ? 'error' : errorCodes[failure.reason];
  return { code, exitCode, message, ...(hint !== undefined && { hint }) };
}

function failureText(error: unknown, failure: WorkbenchError | undefined, { paintError }: Terminal): string {
  const prefix = paintError(['red', 'bold'], 'error:');
  if (failure === undefined)
    return `${prefix} ${redactThoroughly((error instanceof Error && error.stack) || String(error))}`;
  const hint = failure.hint === undefined ? '' : `\n${paintError('cyan', 'hint:')} ${failure.hint}`;
  return `${prefix} ${redactThoroughly(failure.message)}${hint}`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
