/** Bytes of long bodies and answers that are handled in one turn of the event loop. */
const mostInOneTurn = 1_048_576;

/** Bytes that a delayed task counts as: the length of its answer may be known only after the turn. */
const waitedTask = 131_072;

type Task = () => void;

/**
 * Prevents long bodies and answers from blocking the event loop. When those of one turn of the loop are long enough, further
 * requests of the same addresses wait for a later turn, and each address has one request handled at a time. The number of
 * waiting requests is limited by the limits of connections, pipelines and bodies.
 */
export class LoopTurns {
  /** Waiting requests by address. The address with the next turn comes first. */
  readonly #waiting = new Map<string | undefined, Task[]>();
  /** Addresses with long bodies or answers in this turn. */
  readonly #spenders = new Set<string | undefined>();
  #spent = 0;
  #scheduled = false;

  /** True if a request of an address has to wait. */
  isBusy(address: string | undefined): boolean {
    if (this.#spent === 0 && this.#waiting.size === 0) return false;
    return this.#waiting.has(address) || (this.#spent >= mostInOneTurn && this.#spenders.has(address));
  }

  /** Records the bytes of a long body or answer that is handled in this turn. */
  spend(address: string | undefined, bytes: number): void {
    this.#spent += bytes;
    this.#spenders.add(address);
    this.#schedule();
  }

  /** Runs a task now, or in a later turn. */
  run(address: string | undefined, task: Task): void {
    if (!this.isBusy(address)) {
      task();
      return;
    }
    const tasks = this.#waiting.get(address);
    if (tasks === undefined) this.#waiting.set(address, [task]);
    else tasks.push(task);
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
    if (this.#waiting.size > 0) this.#schedule();
    while (this.#spent < mostInOneTurn) {
      const [first] = this.#waiting;
      if (first === undefined) return;
      const [address, tasks] = first;
      const task = tasks.shift();
      this.#waiting.delete(address);
      if (tasks.length > 0) this.#waiting.set(address, tasks);
      this.#spent += waitedTask;
      task?.();
    }
  };
}

/** Runs a task after pending I/O, in runtimes that support it. */
const soon: (task: Task) => unknown =
  typeof setImmediate === 'function' ? setImmediate : (task) => setTimeout(task, 0);
