import { CharacterSets } from './characters.js';
import type { Syntax } from './syntax.js';
import { type PatternWork, spendWork } from './work.js';

/** A pattern as places, one for each character it names, and the transitions between them. */
export interface Automaton {
  /** The characters that each place matches, as bits. */
  readonly sets: readonly bigint[];
  /** The places that can match the first character. */
  readonly first: readonly number[];
  /** The places that can follow each place. */
  readonly follow: readonly ReadonlySet<number>[];
  /** Lookaheads and lookbehinds, each a pattern of its own. */
  readonly looks: readonly Look[];
}

/** Places that can be reached from each other. */
export interface Group {
  readonly places: ReadonlySet<number>;
  readonly isLoop: boolean;
}

/** A lookahead or lookbehind. */
export interface Look {
  readonly part: Syntax;
  /** True if it is inside a repeat. */
  readonly isRepeated: boolean;
}

/** Thrown for a pattern that can take time exponential in the length of a text. */
export class Explosive extends Error {
  constructor() {
    super('a pattern repeats what repeats, or repeats a choice whose branches overlap');
  }
}

interface Part {
  readonly first: readonly number[];
  readonly last: readonly number[];
  readonly nullable: boolean;
}

const nothing: Part = { first: [], last: [], nullable: true };
const mostPlaces = 512;

/** A pattern, and the work left for its automata. */
export interface WholePattern {
  readonly pattern: string;
  readonly work: PatternWork;
}

/**
 * Builds the automaton.
 * @throws Explosive if two paths around a loop share a transition; Error if building takes too much work.
 */
export function automatonOf(syntax: Syntax, { pattern, work }: WholePattern): Automaton {
  const builder = new Builder(new CharacterSets(pattern, work), work);
  builder.first = builder.take(syntax, false).first;
  return builder;
}

class Builder implements Automaton {
  readonly sets: bigint[] = [];
  first: readonly number[] = [];
  readonly follow: Set<number>[] = [];
  readonly looks: Look[] = [];
  readonly #characters: CharacterSets;
  readonly #work: PatternWork;
  #hasLoops = false;

  constructor(characters: CharacterSets, work: PatternWork) {
    this.#characters = characters;
    this.#work = work;
  }

  take(syntax: Syntax, isRepeated: boolean): Part {
    switch (syntax.kind) {
      case 'character':
        return this.#place(this.#characters.of(syntax.source));
      case 'reference':
        return this.#loop(this.#place(this.#characters.all));
      case 'sequence':
        return syntax.parts
          .map((part) => this.take(part, isRepeated))
          .reduce((one, other) => this.#join(one, other), nothing);
      case 'choice':
        return syntax.parts.map((part) => this.take(part, isRepeated)).reduce(either);
      case 'repeat':
        return this.#repeat(syntax, isRepeated);
      case 'look':
        this.looks.push({ part: syntax.part, isRepeated: isRepeated || this.#hasLoops });
        return nothing;
      default:
        return nothing;
    }
  }

  #repeat({ least, most, part }: Syntax & { kind: 'repeat' }, isRepeated: boolean): Part {
    if (most === 0) return nothing;
    const taken = this.take(part, isRepeated || most > 1);
    const nullable = taken.nullable || least === 0;
    if (most === 1) return { ...taken, nullable };
    // A fixed number of repeats leaves no choice, unless the part itself has one.
    if (least === most && isRigid(part)) return taken;
    if (taken.nullable && most !== Number.POSITIVE_INFINITY) throw new Explosive();
    return { ...this.#loop(taken), nullable };
  }

  #place(set: bigint): Part {
    const place = this.sets.push(set) - 1;
    if (place >= mostPlaces) throw new Error(`a pattern names more than ${mostPlaces} characters`);
    this.follow.push(new Set());
    return { first: [place], last: [place], nullable: false };
  }

  #loop(part: Part): Part {
    this.#hasLoops = true;
    spendWork(this.#work, part.last.length * part.first.length);
    for (const from of part.last) {
      const next = this.follow[from] as Set<number>;
      for (const to of part.first) {
        if (next.has(to)) throw new Explosive();
        next.add(to);
      }
    }
    return part;
  }

  #join(one: Part, other: Part): Part {
    spendWork(this.#work, one.last.length * other.first.length);
    for (const from of one.last) for (const to of other.first) this.follow[from]?.add(to);
    return {
      first: one.nullable ? [...one.first, ...other.first] : one.first,
      last: other.nullable ? [...one.last, ...other.last] : other.last,
      nullable: one.nullable && other.nullable,
    };
  }
}

function either(one: Part, other: Part): Part {
  return {
    first: [...one.first, ...other.first],
    last: [...one.last, ...other.last],
    nullable: one.nullable || other.nullable,
  };
}

/** True if all matches of a part have the same length. */
function isRigid(syntax: Syntax): boolean {
  if (syntax.kind === 'sequence') return syntax.parts.every(isRigid);
  if (syntax.kind === 'repeat') return syntax.least === syntax.most && isRigid(syntax.part);
  return syntax.kind !== 'choice' && syntax.kind !== 'reference';
}
