import { type Clock, Rate, type RateLimit } from '@tenon/mcp-session';

/** Tells apart those who have the same name: an issuer, or a kind of name. */
export type Namespace = string | symbol;

/** Peers of one name that are told apart by a walk through all of them; more are found by a longer name. */
const mostAlike = 8;
const crowded = Symbol('crowded');
/** Characters of a name, which may come from the peer itself. */
const maxName = 256;
const tooLong = 'a name that is too long';

/** The bucket of one peer. Peers of the same name in other namespaces follow it. */
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
 * A token bucket for each of many peers. As many names at most as it is told are remembered, and nothing looks through
 * them: what was not used while half as many others came is forgotten, and has all its tokens when it comes again.
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

  /** Names remembered. */
  get size(): number {
    return this.#recent.size + this.#earlier.size;
  }

  /** The bucket of a peer; nothing is made when it has one. Names that are too long count as one. */
  of(told: string, within: Namespace): Rate {
    const name = within !== crowded && told.length > maxName ? tooLong : told;
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
