import type { Node, Run } from './run.js';

/** Thrown for a value with more problems than are allowed. */
export class TooManyProblems extends Error {
  override readonly name = 'TooManyProblems';
}

interface Attempt {
  readonly fits: boolean;
  readonly doubts: number;
}

/**
 * Counts the problems of a value as a schema library would report them: those of a branch that another branch makes up
 * for are not counted.
 */
export class Tally {
  #left: number;
  readonly #doubting: boolean;
  /** How many branches are being tried, one inside the other. */
  #trying = 0;
  /** Doubts met while branches are tried, which count if the branch fits. */
  #held = 0;
  /** How often a library reports the problem at hand: once for each branch of a union. */
  #factor = 1;
  /** What a reference said about a value inside of branches: libraries keep it, and so take no longer for many branches. */
  readonly #attempts = new Map<Node, Map<object, Attempt>>();

  /**
   * @param most - problems allowed.
   * @param doubting - true counts what only the library can tell as a problem.
   */
  constructor(most: number, doubting: boolean) {
    this.#left = most;
    this.#doubting = doubting;
  }

  /** @throws TooManyProblems when there are more than allowed. */
  problem(count = 1): void {
    if (this.#trying > 0) return;
    this.#left -= count * this.#factor;
    if (this.#left < 0) throw new TooManyProblems();
  }

  /** Counts a place that may be a problem: only the library can tell. */
  doubt(): void {
    if (!this.#doubting) return;
    if (this.#trying > 0) this.#held++;
    else this.problem();
  }

  /** Looks at a value by each branch, until one fits; by the one that goes furthest once more, for its problems. */
  fitsOne(branches: readonly Node[], value: unknown, { run, factor }: Branching): boolean {
    const held = this.#held;
    let furthest: Node | undefined;
    let most = -1;
    for (const branch of branches) {
      this.#held = held;
      const before = run.spent;
      if (this.#try(branch, value, run)) {
        this.#settle(held);
        return true;
      }
      if (run.spent - before <= most) continue;
      most = run.spent - before;
      furthest = branch;
    }
    this.#held = held;
    if (this.#trying > 0 || furthest === undefined) return false;
    const outer = this.#factor;
    this.#factor = outer * factor;
    furthest(value, run, undefined);
    this.#factor = outer;
    return false;
  }

  /** Looks at a value by what a reference leads to; inside of branches once for each value. */
  refer(target: Node, value: unknown, run: Run): boolean {
    if (this.#trying === 0 || typeof value !== 'object' || value === null)
      return target(value, run, undefined);
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
    const fits = target(value, run, undefined);
    known.set(value, { fits, doubts: this.#held - held });
    return fits;
  }

  #try(branch: Node, value: unknown, run: Run): boolean {
    this.#trying++;
    const fits = run.briefly(branch, value);
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

/** How branches are tried: in which walk, and how many of them report a problem. */
export interface Branching {
  readonly run: Run;
  readonly factor: number;
}
