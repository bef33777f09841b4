import { type ChildProcess, type SpawnOptions as NodeSpawnOptions, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { inheritedEnvironment } from './child-environment.js';
import { type ChildExit, childFailure } from './child-failure.js';
import { windowsInvocation } from './windows.js';

/** The program to start, and its environment. */
export interface Launch {
  /** A program on PATH, or a path to one. No shell is involved. */
  readonly command: string;
  /** Arguments, passed unchanged. None by default. */
  readonly args?: readonly string[];
  /** Variables for the child, in addition to the few it inherits; see `inheritedEnvironment`. */
  readonly env?: Readonly<Record<string, string>>;
  /** The folder to start in. This process's by default. */
  readonly cwd?: string;
}

/** A started child. */
export interface Child {
  readonly process: ChildProcess;
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** Undefined if the child shares this process's stderr or has none. */
  readonly stderr: Readable | undefined;
  /** Resolves when the child has ended, or could not be started. */
  readonly exited: Promise<ChildExit>;
}

/**
 * Starts a child as the leader of a process group of its own.
 * @throws TypeError if an argument cannot be passed.
 * @throws TransportError if the system has no process or file descriptor left.
 */
export function launch(launching: Launch, stderr: 'pipe' | 'inherit' | 'ignore'): Child {
  const { command, args = [], cwd } = launching;
  const fail = (error: Error): Error =>
    childFailure({
      command,
      args,
      cwd,
      exit: { code: null, signal: null, error },
      hasReceived: false,
      strayLines: [],
      stderr: [],
    });
  let child: ChildProcess;
  try {
    child = startProcess(launching, stderr);
  } catch (error) {
    // Node's own errors about arguments have no `syscall`; all others are the system's.
    const isMisuse = !(error instanceof Error) || !('syscall' in error);
    throw isMisuse ? error : fail(error);
  }
  const exited = new Promise<ChildExit>((resolve) => {
    child.on('exit', (code, signal) => resolve({ code, signal }));
    child.on('error', (error) => {
      if (child.pid === undefined) resolve({ code: null, signal: null, error });
    });
  });
  const { stdin, stdout } = child;
  if (!stdin || !stdout) throw fail(new Error('too many open files'));
  return { process: child, stdin, stdout, stderr: child.stderr ?? undefined, exited };
}

function startProcess(
  { command, args = [], env: own, cwd }: Launch,
  stderr: 'pipe' | 'inherit' | 'ignore',
): ChildProcess {
  const env = { ...inheritedEnvironment(), ...own };
  const options: NodeSpawnOptions = {
    env,
    stdio: ['pipe', 'pipe', stderr],
    windowsHide: true,
    ...(cwd !== undefined && { cwd }),
  };
  if (process.platform !== 'win32') return spawn(command, args, { ...options, detached: true });
  const invocation = windowsInvocation(command, args, { env });
  return spawn(invocation.command, invocation.args, {
    ...options,
    windowsVerbatimArguments: invocation.verbatim,
  });
}
