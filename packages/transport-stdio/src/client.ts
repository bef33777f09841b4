import { follow } from '@tenon/foundation';
import type { Connection } from '@tenon/mcp-protocol';
import { type Child, type Launch, launch } from './child/child.js';
import { type ChildExit, childFailure } from './child/child-failure.js';
import { endWithThisProcess, type Kill, type ProcessGroup, processGroup } from './child/process-group.js';
import { type Reapable, reapLeader, reapSurvivors } from './child/reaping.js';
import { type StderrTail, tailOf } from './child/stderr-tail.js';
import { type Ending, FramedConnection } from './framing/framed-connection.js';
import { type Framing, type FramingOptions, framingOf, within } from './framing/framing-options.js';

export type { Launch } from './child/child.js';
export { inheritedEnvironment } from './child/child-environment.js';
export type { Kill } from './child/process-group.js';
export type { Delay, FramingOptions } from './framing/framing-options.js';
export { type StdioOptions, stdioConnection, streamConnection } from './framing/stream-connection.js';
export { onTermination } from './process/termination.js';

/** The program to start, and the framing. */
export interface SpawnOptions extends Launch, Omit<FramingOptions, 'readWhileBlocked'> {
  /**
   * The destination of the child's stderr. `show` writes its lines to this process's stderr and keeps the last ones for error
   * messages; a function receives each line instead; `pipe` only keeps the last lines; `inherit` shares this process's stderr
   * and keeps nothing; `ignore` drops everything. Default: `show`.
   */
  readonly stderr?: 'show' | 'pipe' | 'inherit' | 'ignore' | ((line: string) => void);
  /** Sends signals; a negative id means a group. `process.kill` by default. */
  readonly kill?: Kill;
}

/** A connection to a child process. */
export interface ChildConnection extends Connection {
  /** The child's process id; undefined if it could not be started. */
  readonly pid: number | undefined;
  /** The last lines of its stderr, oldest first; empty unless they are kept. */
  readonly stderr: readonly string[];
}

/**
 * Starts a command and connects to its stdin and stdout. If the command is missing or fails, the connection ends with a
 * TransportError that names the command, its exit code or signal, and its last lines on stderr. `close` ends the child and the
 * processes it has started: it closes stdin, waits, sends SIGTERM, waits, and sends SIGKILL.
 * @throws RangeError if an option is out of range.
 * @throws TypeError if a command or argument cannot be passed.
 * @throws TransportError if the system has no process or file descriptor left.
 */
export function spawnConnection(options: SpawnOptions): ChildConnection {
  const framing = framingOf({ ...options, readWhileBlocked: true });
  const { stderrLines: maxLines, stderrLineLength: maxLineLength } = framing;
  const { stderr = 'show' } = options;
  const onLines = linesReceiver(stderr);
  const child = launch(options, stderr === 'inherit' || stderr === 'ignore' ? stderr : 'pipe');
  const tail = child.stderr && tailOf(child.stderr, { maxLines, maxLineLength }, onLines);
  return new SpawnedConnection(new ChildSupervisor(child, tail, { options, framing }), framing);
}

/** Bytes that may be queued in this process's stderr; above that, lines of children are not shown. */
const mostUnwritten = 1 << 20;

function linesReceiver(
  stderr: NonNullable<SpawnOptions['stderr']>,
): ((lines: readonly string[]) => void) | undefined {
  if (typeof stderr === 'function')
    return (lines) => {
      for (const line of lines) stderr(line);
    };
  if (stderr === 'pipe' || stderr === 'inherit' || stderr === 'ignore') return undefined;
  if (stderr !== 'show')
    throw new TypeError(
      `stderr must be "show", "pipe", "inherit", "ignore" or a function, not ${JSON.stringify(stderr)}.`,
    );
  return (lines) => {
    // Through the console, which does not fail if this process's stderr is closed.
    if (process.stderr.writableLength < mostUnwritten) console.error(lines.join('\n'));
  };
}

class SpawnedConnection extends FramedConnection implements ChildConnection {
  readonly #supervisor: ChildSupervisor;

  constructor(supervisor: ChildSupervisor, framing: Framing) {
    const { stdin, stdout } = supervisor.child;
    super({ input: stdout, output: stdin, release: (ending) => supervisor.release(ending) }, framing);
    this.#supervisor = supervisor;
  }

  get pid(): number | undefined {
    return this.#supervisor.child.process.pid;
  }

  get stderr(): readonly string[] {
    return this.#supervisor.lastLines();
  }

  override async close(): Promise<void> {
    await super.close();
    await this.#supervisor.survivorsGone;
  }
}

interface SupervisorSettings {
  readonly options: SpawnOptions;
  readonly framing: Framing;
}

const noGroup: ProcessGroup = { terminate() {}, kill() {}, alive: () => false };

/** Supervises a child from its start until all its processes have ended. */
class ChildSupervisor {
  readonly child: Child;
  survivorsGone: Promise<void> = Promise.resolve();
  readonly #tail: StderrTail | undefined;
  readonly #settings: SupervisorSettings;
  readonly #group: ProcessGroup;
  readonly #disown: () => void;
  #exit: ChildExit | undefined;

  constructor(child: Child, tail: StderrTail | undefined, settings: SupervisorSettings) {
    this.child = child;
    this.#tail = tail;
    this.#settings = settings;
    const { pid } = child.process;
    this.#group = pid === undefined ? noGroup : processGroup(pid, settings.options.kill);
    this.#disown = pid === undefined ? () => {} : endWithThisProcess(this.#group);
    const exited = (exit: ChildExit) => {
      this.#exit = exit;
    };
    follow(child.exited, exited, () => {});
  }

  lastLines(): readonly string[] {
    return this.#tail?.lines() ?? [];
  }

  /** Ends the child; resolves with the reason of its end, unless this end closed the connection. */
  async release({ ours, gaveUp, hasReceived, strayLines }: Ending): Promise<Error | undefined> {
    const { framing, options } = this.#settings;
    const { stdin, stdout, stderr, process: child, exited } = this.child;
    stdin.end();
    // Nothing reads the output any more, but a child that cannot write cannot finish.
    stdout.resume();
    const reapable: Reapable = { exited, group: this.#group, waits: framing, delay: framing.delay };
    await reapLeader(reapable);
    if (!ours && this.#tail !== undefined) await within(this.#tail.ended, framing.exitGraceMs, framing.delay);
    this.survivorsGone = reapSurvivors(reapable).then(this.#disown);
    // Other processes that hold the other ends of these must not keep this process alive.
    for (const stream of [stdin, stdout, stderr]) stream?.destroy();
    child.unref();
    if (ours || gaveUp !== undefined) return gaveUp;
    const { command, args = [], cwd } = options;
    const received = { hasReceived, strayLines, stderr: this.lastLines() };
    return childFailure({ command, args, cwd, exit: this.#exit, ...received });
  }
}
