/** Something that may have to wait before it begins. */
export interface Turn {
  begin(): void;
}

/** Lets so many begin at the same time; the rest follow in the order they came. */
export class Turns {
  readonly #limit: number;
  readonly #running = new Set<Turn>();
  readonly #queue = new Set<Turn>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Begins now, or when it is its turn. */
  enter(turn: Turn): void {
    if (this.#running.size >= this.#limit) {
      this.#queue.add(turn);
      return;
    }
    this.#running.add(turn);
    turn.begin();
  }

  /** Makes room for the next, if it had begun; takes it out of the queue otherwise. Safe to call again. */
  leave(turn: Turn): void {
    if (!this.#running.delete(turn)) {
      this.#queue.delete(turn);
      return;
    }
    for (const next of this.#queue) {
      if (this.#running.size >= this.#limit) return;
      this.#queue.delete(next);
      this.#running.add(next);
      next.begin();
    }
  }
}
