import { type Node, Run } from './run.js';

/** Thrown for a value with more problems than are allowed. */
export class TooManyProblems extends Error {
  override readonly name = 'TooManyProblems';
}

interface Attempt {
  readonly fits: boolean;
  readonly doubts: number;
}

/** The limits of a schema library's work for one value. */
export interface Budget {
  readonly steps: number;
  readonly problems: number;
  /** True to count a place that only the library can check as a problem. */
  readonly doubts: boolean;
}

/**
 * A check that counts the problems of a value like a schema library would report them. Problems of a branch do not count if
 * another branch fits.
 */
export class Weighing extends Run {
  #left: number;
  readonly #doubting: boolean;
  /** The number of nested branches being tried. */
  #trying = 0;
  /** Doubts found while branches are tried; they count if the branch fits. */
  #held = 0;
  /** The number of times a library reports the current problem: once for each branch of a union. */
  #factor = 1;
  /** Results of references inside branches, by value: libraries cache them too. */
  readonly #attempts = new Map<Node, Map<object, Attempt>>();

  constructor({ steps, problems, doubts }: Budget) {
    super(steps, 0, true);
    this.#left = problems;
    this.#doubting = doubts;
  }

  /** @throws TooManyProblems if there are more than allowed. */
  override problem(count = 1): void {
    if (this.#trying > 0) return;
    this.#left -= count * this.#factor;
    if (this.#left < 0) throw new TooManyProblems();
  }

  /** Counts a place that may be a problem because only the library can check it. */
  doubt(): void {
    if (!this.#doubting) return;
    if (this.#trying > 0) this.#held++;
    else this.problem();
  }

  /**
   * Checks a value against each branch until one fits. If none fits, checks the branch that went furthest again, for its problems.
   * @param factor - the number of branches that report these problems.
   */
  fitsOne(branches: readonly Node[], value: unknown, factor: number): boolean {
    const held = this.#held;
    let furthest: Node | undefined;
    let most = -1;
    for (const branch of branches) {
      this.#held = held;
      const before = this.spent;
      if (this.#try(branch, value)) {
        this.#settle(held);
        return true;
      }
      if (this.spent - before <= most) continue;
      most = this.spent - before;
      furthest = branch;
    }
    this.#held = held;
    if (this.#trying > 0 || furthest === undefined) return false;
    const outer = this.#factor;
    this.#factor = outer * factor;
    furthest(value, this, undefined);
    this.#factor = outer;
    return false;
  }

  /** Checks a value against a reference target; inside of branches once for each value. */
  refer(target: Node, value: unknown): boolean {
    if (this.#trying === 0 || typeof value !== 'object' || value === null)
      return target(value, this, undefined);
    let known = this.#attempts.get(target);
    if (known === undefined) {
      known = new Map();
      this.#attempts.set(target, known);
    }
    const attempt = known.get(value);
    if (attempt !== undefined) {
      this.#held += attempt.doubts;
      return attempt.fits;
    }
    const held = this.#held;
    const fits = target(value, this, undefined);
    known.set(value, { fits, doubts: this.#held - held });
    return fits;
  }

  #try(branch: Node, value: unknown): boolean {
    this.#trying++;
    const fits = this.briefly(branch, value);
    this.#trying--;
    return fits;
  }

  #settle(held: number): void {
    if (this.#trying > 0) return;
    const doubts = this.#held - held;
    this.#held = held;
    this.problem(doubts);
  }
}
