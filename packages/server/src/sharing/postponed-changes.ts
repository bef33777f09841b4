import type { Change } from '../core/audience.js';

/** The number of lists and resources with a kept change. A session that missed more receives a notification for all that it listens to. */
const mostKept = 1_024;

/** The last change of each list and resource that a session of this process could not receive, in the order of the changes. */
export class PostponedChanges {
  readonly #kept = new Map<string, { readonly change: Change; readonly number: number }>();
  #newest: Change | undefined;
  /** The number of the last change. */
  #last = 0;
  /** The number of the last change that is not kept. */
  #dropped = 0;

  /** Returns the number of a change. Changes are counted from 1, and once for all sessions that cannot receive them. */
  add(change: Change): number {
    if (change === this.#newest) return this.#last;
    this.#newest = change;
    const key = change.uri ?? change.method;
    this.#kept.delete(key);
    this.#kept.set(key, { change, number: ++this.#last });
    for (const [oldest, { number }] of this.#kept) {
      if (this.#kept.size <= mostKept) break;
      this.#kept.delete(oldest);
      this.#dropped = number;
    }
    return this.#last;
  }

  /** Returns the changes from a number on, each list and resource once; undefined if some are not kept. */
  from(number: number): readonly Change[] | undefined {
    if (number <= this.#dropped) return undefined;
    return [...this.#kept.values()].flatMap((one) => (one.number >= number ? [one.change] : []));
  }
}
