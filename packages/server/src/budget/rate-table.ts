import type { Clock } from '@tenon/foundation';
import { Rate, type RateLimit } from '@tenon/mcp-session';

/** The namespace of a name: an issuer, or a type of name. */
export type Namespace = string | symbol;

/** The most peers of one name that are found by a linear search; more are found by a longer name. */
const mostAlike = 8;
const crowded = Symbol('crowded');
/** The most characters of a name, which may come from the peer. */
const maxName = 256;
const tooLong = 'a name that is too long';

/** Returns the name under which a peer is counted. Names that are too long are one. */
export function boundedName(given: string): string {
  return given.length > maxName ? tooLong : given;
}

/** The bucket of one peer, linked to the peers of the same name in other namespaces. */
class Bucket extends Rate {
  readonly within: Namespace;
  readonly next: Bucket | undefined;

  constructor(clock: Clock, { perSecond, burst }: RateLimit, place: { within: Namespace; next?: Bucket }) {
    super(clock, perSecond, burst);
    this.within = place.within;
    this.next = place.next;
  }
}

/**
 * A table with one token bucket per peer. It remembers a limited number of names, and no sweep goes through
 * them: a bucket that is not used while half as many others are added is dropped, and is full if its peer returns.
 */
export class RateTable {
  readonly #clock: Clock;
  readonly #limit: RateLimit;
  readonly #half: number;
  #recent = new Map<string, Bucket>();
  #earlier = new Map<string, Bucket>();

  constructor(clock: Clock, limit: RateLimit, names: number) {
    this.#clock = clock;
    this.#limit = limit;
    this.#half = Math.ceil(names / 2);
  }

  /** The most names remembered. */
  get size(): number {
    return this.#recent.size + this.#earlier.size;
  }

  /** Returns the bucket of a peer, and creates it if needed. Names that are too long share one bucket. */
  of(given: string, within: Namespace): Rate {
    const name = within === crowded ? given : boundedName(given);
    const first = this.#recent.get(name) ?? this.#brought(name);
    let alike = 0;
    for (let one = first; one !== undefined; one = one.next) {
      if (one.within === within) return one;
      alike++;
    }
    if (alike >= mostAlike && typeof within === 'string')
      return this.of(JSON.stringify([within, name]), crowded);
    const place = first === undefined ? { within } : { within, next: first };
    const made = new Bucket(this.#clock, this.#limit, place);
    this.#keep(name, made);
    return made;
  }

  #brought(name: string): Bucket | undefined {
    const found = this.#earlier.get(name);
    if (found === undefined) return undefined;
    this.#earlier.delete(name);
    this.#keep(name, found);
    return found;
  }

  #keep(name: string, bucket: Bucket): void {
    if (this.#recent.size >= this.#half && !this.#recent.has(name)) {
      this.#earlier = this.#recent;
      this.#recent = new Map();
    }
    this.#recent.set(name, bucket);
  }
}
