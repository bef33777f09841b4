import { OutOfSteps } from '@tenon/json-schema';
import type { Seen } from './seen.js';

/** One problem of a value: the keys that lead to the place, and a sentence about it. */
export interface ValueIssue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** Checks one value against one schema; false if it does not fit. */
export type Node = (value: unknown, run: Run, seen: Seen | undefined) => boolean;

/** One check of one value: the steps left, and the problems found. */
export class Run {
  readonly path: PropertyKey[] = [];
  readonly issues: ValueIssue[] = [];
  /** Base URIs of the schema resources entered, outermost first; filled only for dynamic schemas. */
  readonly scope: string[] = [];
  readonly #most: number;
  readonly #steps: number;
  #left: number;
  #thorough: boolean;
  #muted: number;

  /**
   * @param most - issues to keep; with 0 the check stops at the first problem and keeps none.
   * @param thorough - true to continue after a problem even if no issue is kept.
   */
  constructor(steps: number, most: number, thorough = false) {
    this.#thorough = thorough;
    this.#steps = steps;
    this.#left = steps;
    this.#most = most;
    this.#muted = most === 0 ? 1 : 0;
  }

  /** True if the check may stop at the first problem. */
  get quick(): boolean {
    return !this.#thorough && !this.collects;
  }

  /** True if problems are recorded. */
  get collects(): boolean {
    return this.#muted === 0 && this.issues.length < this.#most;
  }

  /** The number of steps taken. */
  get spent(): number {
    return this.#steps - this.#left;
  }

  /** @throws OutOfSteps if no step is left. */
  spend(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) throw new OutOfSteps();
  }

  /** Records a problem of the current value, or of its member `key`; always returns false. */
  fail(message: string, key?: PropertyKey): false {
    if (!this.collects) {
      if (this.#muted === 1) this.problem();
      return false;
    }
    const path = key === undefined ? [...this.path] : [...this.path, key];
    const isKnown = this.issues.some((one) => one.message === message && equalPaths(one.path, path));
    if (!isKnown) this.issues.push({ path, message });
    return false;
  }

  /** Called for each problem that is not recorded, except inside branches and `not`; for subclasses that count. */
  problem(_count?: number): void {}

  /** Checks a member of the current value. */
  member(node: Node, key: PropertyKey, value: unknown): boolean {
    if (this.#muted > 0) return node(value, this, undefined);
    this.path.push(key);
    const fits = node(value, this, undefined);
    this.path.pop();
    return fits;
  }

  /** Adds the members that another schema has evaluated in the same place. */
  merge(seen: Seen | undefined, own: Seen | undefined): void {
    if (seen === undefined || own === undefined) return;
    this.spend(own.size >> 2);
    seen.merge(own);
  }

  /** Checks without recording problems. */
  silently(node: Node, value: unknown, seen?: Seen): boolean {
    this.#muted++;
    const fits = node(value, this, seen);
    this.#muted--;
    return fits;
  }

  /** Checks without recording problems, and stops at the first one. */
  briefly(node: Node, value: unknown, seen?: Seen): boolean {
    const before = this.#thorough;
    this.#thorough = false;
    const fits = this.silently(node, value, seen);
    this.#thorough = before;
    return fits;
  }
}

function equalPaths(one: readonly PropertyKey[], other: readonly PropertyKey[]): boolean {
  return one.length === other.length && one.every((key, index) => key === other[index]);
}
