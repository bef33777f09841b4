import { OutOfSteps } from '@tenon/json-schema';
import type { Seen } from './seen.js';

/** One complaint about a value: the keys that lead to the place, and a sentence that goes on from it. */
export interface ValueIssue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** Looks at one value by one schema; false when it does not fit. */
export type Node = (value: unknown, run: Run, seen: Seen | undefined) => boolean;

/** One check of one value: what it may still cost, and what it has found. */
export class Run {
  readonly path: PropertyKey[] = [];
  readonly issues: ValueIssue[] = [];
  /** Base URIs of the schema resources the walk has entered, outermost first; kept only where a schema is dynamic. */
  readonly scope: string[] = [];
  readonly #most: number;
  readonly #steps: number;
  #left: number;
  #thorough: boolean;
  #muted: number;

  /**
   * @param most - issues kept; with 0 the walk stops at the first problem and keeps none.
   * @param thorough - goes on after a problem, even where no issue is kept.
   */
  constructor(steps: number, most: number, thorough = false) {
    this.#thorough = thorough;
    this.#steps = steps;
    this.#left = steps;
    this.#most = most;
    this.#muted = most === 0 ? 1 : 0;
  }

  /** True when the first flaw is enough. */
  get quick(): boolean {
    return !this.#thorough && !this.collects;
  }

  /** True when flaws are noted. */
  get collects(): boolean {
    return this.#muted === 0 && this.issues.length < this.#most;
  }

  /** Steps taken so far. */
  get spent(): number {
    return this.#steps - this.#left;
  }

  /** @throws OutOfSteps when nothing is left. */
  spend(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) throw new OutOfSteps();
  }

  /** Notes a flaw of the value at hand, or of its member `key`; always false. */
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

  /** Called for each problem that is not noted, those of branches and of `not` aside; for walks that count. */
  problem(_count?: number): void {}

  /** Looks at a member of the value at hand. */
  member(node: Node, key: PropertyKey, value: unknown): boolean {
    if (this.#muted > 0) return node(value, this, undefined);
    this.path.push(key);
    const fits = node(value, this, undefined);
    this.path.pop();
    return fits;
  }

  /** Adds to the members that were looked at those that another schema in the same place has looked at. */
  merge(seen: Seen | undefined, own: Seen | undefined): void {
    if (seen === undefined || own === undefined) return;
    this.spend(own.size >> 2);
    seen.merge(own);
  }

  /** Only tells whether a value fits. */
  silently(node: Node, value: unknown, seen?: Seen): boolean {
    this.#muted++;
    const fits = node(value, this, seen);
    this.#muted--;
    return fits;
  }

  /** Only tells whether a value fits, and stops at the first flaw in any case. */
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
