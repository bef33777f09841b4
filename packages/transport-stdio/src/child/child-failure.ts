import { existsSync } from 'node:fs';
import { TransportError } from '@tenon/mcp-protocol';
import { strayOutput } from '@tenon/mcp-protocol/internal';

/** The end of a child: an exit code, a signal, or the error that prevented its start. */
export interface ChildExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The error that prevented its start. */
  readonly error?: NodeJS.ErrnoException;
}

/** The facts about a child that has failed. */
export interface FailedChild {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string | undefined;
  /** Undefined if it still runs but no longer answers. */
  readonly exit: ChildExit | undefined;
  /** True if it has sent a message. */
  readonly hasReceived: boolean;
  /** The lines that it printed on stdout before its first message. */
  readonly strayLines: readonly string[];
  readonly stderr: readonly string[];
}

/** Returns the error for a child that has ended, with its last lines on stderr; `status` is the exit code. */
export function childFailure(child: FailedChild): TransportError {
  const name = `"${commandLine(child.command, child.args)}"`;
  const what =
    child.exit?.error === undefined ? describeEnd(child) : describeRefusal(child, child.exit.error);
  const head = child.hasReceived ? `${name} ${what}.` : `Could not start ${name}: it ${what}.`;
  const hint =
    !child.hasReceived && wasNotFound(child.exit) && !lacksFolder(child)
      ? ' Is it installed and on PATH?'
      : '';
  const stray = strayOutput(child.strayLines);
  const tail = child.stderr.length === 0 ? '' : `\nIts last lines on stderr:\n  ${child.stderr.join('\n  ')}`;
  const status = child.exit?.code;
  return new TransportError(`${head}${hint}${stray}${tail}`, {
    ...(typeof status === 'number' && { status }),
    ...(child.exit?.error && { cause: child.exit.error }),
  });
}

function describeEnd({ exit, hasReceived }: FailedChild): string {
  const when = hasReceived ? '' : ' before it sent a message';
  if (exit === undefined) return `closed its output${when}`;
  return exit.signal === null ? `exited with code ${exit.code}${when}` : `was ended by ${exit.signal}${when}`;
}

function describeRefusal(child: FailedChild, error: NodeJS.ErrnoException): string {
  if (error.code === 'ENOENT') {
    return lacksFolder(child) ? `should run in ${child.cwd}, which does not exist` : 'was not found (ENOENT)';
  }
  if (error.code === 'EACCES') return 'may not be executed (EACCES)';
  return `was refused by the system (${error.message})`;
}

/** The system also reports a missing working folder as "not found". */
function lacksFolder({ cwd }: FailedChild): boolean {
  return cwd !== undefined && !existsSync(cwd);
}

function wasNotFound(exit: ChildExit | undefined): boolean {
  // 127 and 9009 are the exit codes of POSIX and Windows shells for a missing command.
  return exit?.error?.code === 'ENOENT' || exit?.code === 127 || exit?.code === 9009;
}

const secretOption = /^-{1,2}[\w-]*(?:key|token|secret|password|auth|credential)[\w-]*/i;

/** Returns a command and its arguments for messages, without values of options that sound secret, 200 characters at most. */
function commandLine(command: string, args: readonly string[]): string {
  const shown = args.map((argument, index) => {
    const option = secretOption.exec(argument)?.[0];
    if (option !== undefined) return argument.length > option.length ? `${option}=...` : option;
    const before = args[index - 1] ?? '';
    return secretOption.exec(before)?.[0] === before && before !== '' ? '...' : argument;
  });
  const line = [command, ...shown].join(' ').replaceAll(/\s+/g, ' ').trim();
  return line.length > 200 ? `${line.slice(0, 197)}...` : line;
}
