import { BoundedMap } from '../bounded-map.js';

/** Accepts each name once. */
export class ReplayGuard {
  readonly #seen: BoundedMap<string, number>;
  readonly #now: () => number;

  constructor(most: number, now: () => number) {
    this.#seen = new BoundedMap(most);
    this.#now = now;
  }

  /**
   * @param until - expiry of the name, in milliseconds since 1970
   * @returns false if the name was accepted before
   */
  take(name: string, until: number): boolean {
    const known = this.#seen.get(name);
    if (known !== undefined && known > this.#now()) return false;
    this.#seen.delete(name);
    this.#seen.set(name, until);
    return true;
  }
}
