import type { Clock } from '@tenon/foundation';
import type { Principal } from '@tenon/mcp-protocol';
import { callerName } from '@tenon/mcp-protocol/internal';

/** Bytes of long bodies and answers after which a caller has to wait for the next turn of the event loop. */
const mostInOneTurn = 1_048_576;

/** Bytes that a delayed task counts as: the length of its answer may be known only after the turn. */
const waitedTask = 131_072;

/** Bytes of a body above which it counts as work of its turn of the event loop. */
export const longBody = 65_536;

/** Milliseconds below which a long body leaves others no more than a turn. */
const shortWork = 2;
/** The most milliseconds between two long bodies. */
const longestRest = 1_000;

type Task = () => void;

interface Waiting {
  readonly task: Task;
  readonly bytes: number;
}

/** The sender of a request: a principal, or an address. */
export interface TurnHolder {
  readonly principal?: Principal | undefined;
  readonly remoteAddress?: string | undefined;
}

/**
 * Prevents long bodies and answers from blocking the event loop. Long bodies are parsed and handled one at a time, of each caller after
 * the other. After each of them the loop belongs to other requests, for as long as the body took, so that the steps of a short request do
 * not wait for one long body each. Requests of a caller with long enough bodies and answers in one turn wait for a later turn. The number
 * of waiting requests is limited by the limits of connections, pipelines and bodies.
 */
export class LoopTurns {
  readonly #clock: Clock;
  /** Waiting requests by caller. The caller with the next turn comes first. */
  readonly #waiting = new Map<string | undefined, Waiting[]>();
  /** Callers with long bodies or answers in this turn. */
  readonly #spenders = new Set<string | undefined>();
  #spent = 0;
  #scheduled = false;
  /** The time at which the long body of this turn was begun. */
  #begunAt: number | undefined;
  /** True while no long body is begun. */
  #isResting = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** True if a request with so many bytes has to wait. */
  mustWait(holder: TurnHolder, bytes: number): boolean {
    if (bytes > longBody) return this.#waiting.size > 0 || this.#begunAt !== undefined || this.#isResting;
    if (this.#spent === 0 && this.#waiting.size === 0) return false;
    const caller = callerOf(holder);
    return this.#waiting.has(caller) || (this.#spent >= mostInOneTurn && this.#spenders.has(caller));
  }

  /** Records the bytes of a long answer that is sent in this turn. */
  spend(holder: TurnHolder, bytes: number): void {
    this.#spend(callerOf(holder), bytes);
  }

  /** Runs a task, which handles so many bytes, now or in a later turn. */
  run(holder: TurnHolder, bytes: number, task: Task): void {
    if (!this.mustWait(holder, bytes)) {
      if (bytes > longBody) this.#runLong(callerOf(holder), { task, bytes });
      else task();
    } else {
      const caller = callerOf(holder);
      const tasks = this.#waiting.get(caller);
      if (tasks === undefined) this.#waiting.set(caller, [{ task, bytes }]);
      else tasks.push({ task, bytes });
      this.#schedule();
    }
  }

  #runLong(caller: string | undefined, { task, bytes }: Waiting): void {
    this.#begunAt = this.#clock.now();
    this.#spend(caller, bytes);
    task();
  }

  #spend(caller: string | undefined, bytes: number): void {
    this.#spent += bytes;
    this.#spenders.add(caller);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    soon(this.#next);
  }

  readonly #next = (): void => {
    this.#scheduled = false;
    this.#spent = 0;
    this.#spenders.clear();
    if (this.#begunAt !== undefined) this.#rest(this.#clock.now() - this.#begunAt);
    this.#begunAt = undefined;
    let passedOver = 0;
    while (this.#spent < mostInOneTurn && passedOver < this.#waiting.size) {
      const [first] = this.#waiting;
      const [caller, tasks] = first as [string | undefined, Waiting[]];
      const [next] = tasks as [Waiting];
      const isLong = next.bytes > longBody;
      const isBarred = isLong && (this.#isResting || this.#begunAt !== undefined);
      if (!isBarred) tasks.shift();
      // The next turn belongs to the other callers.
      this.#waiting.delete(caller);
      if (tasks.length > 0) this.#waiting.set(caller, tasks);
      passedOver = isBarred ? passedOver + 1 : 0;
      if (this.#waiting.size > 0 && !this.#isResting) this.#schedule();
      if (isBarred) continue;
      this.#spent += waitedTask;
      if (isLong) this.#runLong(caller, next);
      else next.task();
    }
    if (passedOver < this.#waiting.size) this.#schedule();
  };

  /** Begins no long body for so many milliseconds. */
  #rest(ms: number): void {
    if (ms < shortWork) return;
    this.#isResting = true;
    this.#clock.schedule(
      () => {
        this.#isResting = false;
        if (this.#waiting.size > 0) this.#schedule();
      },
      Math.min(ms, longestRest),
    );
  }
}

function callerOf({ principal, remoteAddress }: TurnHolder): string | undefined {
  return callerName(principal, remoteAddress);
}

/** Runs a task after pending I/O, in runtimes that support it. */
const soon: (task: Task) => unknown =
  typeof setImmediate === 'function' ? setImmediate : (task) => setTimeout(task, 0);
