import { Line, type Place } from './line.js';

/** Something that may have to wait before it begins. */
export interface Turn {
  begin(): void;
  /** Where it stands, for whoever it takes turns with. */
  turn?: 'begun' | Place<Turn> | undefined;
}

/** Lets so many begin at the same time; the rest follow in the order they came. */
export class Turns {
  readonly #limit: number;
  readonly #queue = new Line<Turn>();
  #running = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Begins now, or when it is its turn. */
  enter(turn: Turn): void {
    if (this.#running >= this.#limit) turn.turn = this.#queue.join(turn);
    else this.#begin(turn);
  }

  /** Makes room for the next, if it had begun; takes it out of the queue otherwise. Safe to call again. */
  leave(one: Turn): void {
    const { turn } = one;
    if (turn === undefined) return;
    one.turn = undefined;
    if (turn !== 'begun') {
      this.#queue.leave(turn);
      return;
    }
    this.#running--;
    while (this.#queue.first !== undefined && this.#running < this.#limit) {
      const next = this.#queue.first;
      this.#queue.leave(next);
      this.#begin(next.value);
    }
  }

  #begin(turn: Turn): void {
    this.#running++;
    turn.turn = 'begun';
    turn.begin();
  }
}
