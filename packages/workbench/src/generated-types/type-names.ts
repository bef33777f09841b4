import { isIdentifier } from '../calls/type-text.js';

/** Names of types that have been given, so that each is given once. */
export class TypeNames {
  /** Grows with each name. */
  readonly taken: Set<string>;

  /** The last number of each beginning and ending: many names of a server may differ by characters that types do not have. */
  readonly #numbers = new Map<string, number>();

  /** @param taken - names that must not be given. */
  constructor(taken: readonly string[]) {
    this.taken = new Set(taken);
  }

  /** Returns a name that is made of a text of the server, such as `GetUserInput` of `get_user` and `Input`. It is not taken yet. */
  nameFor(text: string, ending: string): string {
    const words = text.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
    const joined = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
    const short = joined.slice(0, longest);
    const base = isIdentifier(short) ? short : `Tool${short}`;
    const common = `${base} ${ending}`;
    let number = this.#numbers.get(common) ?? 1;
    let name = number === 1 ? `${base}${ending}` : `${base}${number}${ending}`;
    while (this.taken.has(name)) name = `${base}${++number}${ending}`;
    this.#numbers.set(common, number);
    this.taken.add(name);
    return name;
  }
}

/** The longest beginning of a name. */
const longest = 100;
