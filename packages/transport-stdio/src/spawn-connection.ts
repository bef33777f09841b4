import type { Connection } from '@tenon/mcp-protocol';
import { follow } from '@tenon/mcp-protocol/internal';
import { type Child, type Launch, launch } from './child.js';
import { type ChildExit, childFailure } from './child-failure.js';
import { within } from './delay.js';
import { type Ending, FramedConnection } from './framed-connection.js';
import {
  type Framing,
  type FramingOptions,
  framingOf,
  requireBounds,
  requireWaits,
} from './framing-options.js';
import { endWithThisProcess, type Kill, type ProcessGroup, processGroup } from './process-group.js';
import { type Reapable, type ReapingWaits, reapLeader, reapSurvivors } from './reaping.js';
import { type StderrTail, tailOf } from './stderr-tail.js';

/** What to start, how to speak to it, and how to end it. */
export interface SpawnOptions
  extends Launch,
    Omit<FramingOptions, 'readWhileBlocked'>,
    Partial<ReapingWaits> {
  /**
   * What becomes of the child's stderr: `pipe` keeps its last lines for error messages, a function also gets each
   * line as it comes, `inherit` shows it on this process's stderr and keeps nothing. `pipe` by default.
   */
  readonly stderr?: 'pipe' | 'inherit' | 'ignore' | ((line: string) => void);
  /** Lines of stderr to keep. 20 by default. */
  readonly stderrLines?: number;
  /** Characters to keep of a line of stderr. 1,024 by default. */
  readonly stderrLineLength?: number;
  /** Milliseconds that last lines on stderr have to come in after the child has failed. 200 by default. */
  readonly exitGraceMs?: number;
  /** Sends signals; a negative id means a group. `process.kill` by default. */
  readonly kill?: Kill;
}

/** A connection to a child process. */
export interface ChildConnection extends Connection {
  /** The child's process id; undefined when it could not be started. */
  readonly pid: number | undefined;
  /** The last lines of its stderr, oldest first; empty unless captured. */
  readonly stderr: readonly string[];
}

/**
 * Starts a command and speaks over its stdin and stdout. A command that is missing or fails ends the connection with a
 * TransportError that names the command, what became of it and its last lines on stderr. `close` ends the child and
 * whatever it has started: it closes stdin, waits, asks (SIGTERM), waits, and ends by force (SIGKILL).
 * @throws RangeError when an option is out of range.
 * @throws TypeError when a command or argument cannot be passed on.
 * @throws TransportError when the system has no process or descriptor left.
 */
export function spawnConnection(options: SpawnOptions): ChildConnection {
  const { stderrLines = 20, stderrLineLength = 1024, exitGraceMs = 200 } = options;
  const { closeWaitMs = 2000, terminateWaitMs = 2000, killWaitMs = 1000 } = options;
  requireBounds({ stderrLines, stderrLineLength });
  requireWaits({ exitGraceMs, closeWaitMs, terminateWaitMs, killWaitMs });
  const framing = framingOf({ ...options, readWhileBlocked: true });
  const { stderr = 'pipe' } = options;
  const onLine = typeof stderr === 'function' ? stderr : undefined;
  const child = launch(options, typeof stderr === 'function' ? 'pipe' : stderr);
  const tail =
    child.stderr && tailOf(child.stderr, { maxLines: stderrLines, maxLineLength: stderrLineLength }, onLine);
  const waits = { closeWaitMs, terminateWaitMs, killWaitMs };
  return new SpawnedConnection(new Keeper(child, tail, { options, waits, exitGraceMs, framing }), framing);
}

class SpawnedConnection extends FramedConnection implements ChildConnection {
  readonly #keeper: Keeper;

  constructor(keeper: Keeper, framing: Framing) {
    const { stdin, stdout } = keeper.child;
    super({ input: stdout, output: stdin, release: (ending) => keeper.release(ending) }, framing);
    this.#keeper = keeper;
  }

  get pid(): number | undefined {
    return this.#keeper.child.process.pid;
  }

  get stderr(): readonly string[] {
    return this.#keeper.lastLines();
  }

  override async close(): Promise<void> {
    await super.close();
    await this.#keeper.survivorsGone;
  }
}

interface Keeping {
  readonly options: SpawnOptions;
  readonly waits: ReapingWaits;
  readonly exitGraceMs: number;
  readonly framing: Framing;
}

const nobody: ProcessGroup = { terminate() {}, kill() {}, alive: () => false };

/** Looks after a child from its start until nothing of it is left. */
class Keeper {
  readonly child: Child;
  survivorsGone: Promise<void> = Promise.resolve();
  readonly #tail: StderrTail | undefined;
  readonly #keeping: Keeping;
  readonly #group: ProcessGroup;
  readonly #disown: () => void;
  #exit: ChildExit | undefined;

  constructor(child: Child, tail: StderrTail | undefined, keeping: Keeping) {
    this.child = child;
    this.#tail = tail;
    this.#keeping = keeping;
    const { pid } = child.process;
    this.#group = pid === undefined ? nobody : processGroup(pid, keeping.options.kill);
    this.#disown = pid === undefined ? () => {} : endWithThisProcess(this.#group);
    const exited = (exit: ChildExit) => {
      this.#exit = exit;
    };
    follow(child.exited, exited, () => {});
  }

  lastLines(): readonly string[] {
    return this.#tail?.lines() ?? [];
  }

  /** Ends the child; tells why it is gone unless this end wanted it so. */
  async release({ ours, gaveUp, heard }: Ending): Promise<Error | undefined> {
    const { exitGraceMs, framing, options, waits } = this.#keeping;
    const { stdin, stdout, stderr, process: child, exited } = this.child;
    stdin.end();
    // Nobody reads it any more, but a child that cannot write cannot finish.
    stdout.resume();
    const reapable: Reapable = { exited, group: this.#group, waits, delay: framing.delay };
    await reapLeader(reapable);
    if (!ours && this.#tail !== undefined) await within(this.#tail.ended, exitGraceMs, framing.delay);
    this.survivorsGone = reapSurvivors(reapable).then(this.#disown);
    // Whoever else holds the other ends of these does not keep this process alive.
    for (const stream of [stdin, stdout, stderr]) stream?.destroy();
    child.unref();
    if (ours || gaveUp !== undefined) return gaveUp;
    const { command, args = [], cwd } = options;
    return childFailure({ command, args, cwd, exit: this.#exit, heard, stderr: this.lastLines() });
  }
}
