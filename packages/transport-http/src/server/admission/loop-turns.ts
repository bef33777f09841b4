/** Bytes of long bodies and answers that are handled before everything else in the process has its turn. */
const mostInOneTurn = 1_048_576;

/** Bytes that a task counts as which had to wait: how long its answer is may be known only after the turn. */
const waitedTask = 131_072;

type Task = () => void;

/**
 * Keeps long bodies and answers from holding up the event loop: once those of one turn of the loop are long enough, further
 * requests of the same addresses wait for a later turn, and each address has one handled after the other. What waits is
 * bounded by the bounds of connections, pipelines and bodies.
 */
export class LoopTurns {
  /** Requests that wait, by address; the address whose turn it is comes first. */
  readonly #waiting = new Map<string | undefined, Task[]>();
  /** Addresses whose long bodies and answers are handled in this turn. */
  readonly #spenders = new Set<string | undefined>();
  #spent = 0;
  #scheduled = false;

  /** True where a request of an address has to wait. */
  isBusy(address: string | undefined): boolean {
    if (this.#spent === 0 && this.#waiting.size === 0) return false;
    return this.#waiting.has(address) || (this.#spent >= mostInOneTurn && this.#spenders.has(address));
  }

  /** Notes bytes of a long body or answer that is handled in this turn. */
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

/** Runs a task after what arrives meanwhile, in runtimes that can. */
const soon: (task: Task) => unknown =
  typeof setImmediate === 'function' ? setImmediate : (task) => setTimeout(task, 0);
