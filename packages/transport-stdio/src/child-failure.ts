import { existsSync } from 'node:fs';
import { TransportError } from '@tenon/mcp-protocol';

/** How a child ended: with an exit code, by a signal, or without ever starting. */
export interface ChildExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Why it could not be started. */
  readonly error?: NodeJS.ErrnoException;
}

/** What is known of a child that has failed. */
export interface FailedChild {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string | undefined;
  /** Undefined while it still runs but no longer speaks. */
  readonly exit: ChildExit | undefined;
  /** True when a message of it had come in. */
  readonly heard: boolean;
  readonly stderr: readonly string[];
}

/** The error that tells why a child is gone, with its last lines on stderr; `status` is the exit code. */
export function childFailure(child: FailedChild): TransportError {
  const name = `"${commandLine(child.command, child.args)}"`;
  const what =
    child.exit?.error === undefined ? describeEnd(child) : describeRefusal(child, child.exit.error);
  const head = child.heard ? `${name} ${what}.` : `Could not start ${name}: it ${what}.`;
  const hint =
    !child.heard && wasNotFound(child.exit) && !lacksFolder(child) ? ' Is it installed and on PATH?' : '';
  const tail = child.stderr.length === 0 ? '' : `\nIts last lines on stderr:\n  ${child.stderr.join('\n  ')}`;
  const status = child.exit?.code;
  return new TransportError(`${head}${hint}${tail}`, {
    ...(typeof status === 'number' && { status }),
    ...(child.exit?.error && { cause: child.exit.error }),
  });
}

function describeEnd({ exit, heard }: FailedChild): string {
  const when = heard ? '' : ' before it sent a message';
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

/** The system says "not found" of a folder to run in, too. */
function lacksFolder({ cwd }: FailedChild): boolean {
  return cwd !== undefined && !existsSync(cwd);
}

function wasNotFound(exit: ChildExit | undefined): boolean {
  // 127 and 9009 are how shells of POSIX and Windows say so.
  return exit?.error?.code === 'ENOENT' || exit?.code === 127 || exit?.code === 9009;
}

const secretOption = /^-{1,2}[\w-]*(?:key|token|secret|password|auth|credential)[\w-]*/i;

/** A command and its arguments for people to read, values of options that sound secret left out, 200 characters at most. */
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
