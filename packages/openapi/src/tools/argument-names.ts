/** The longest name of an argument and of a tool that all providers of models accept. */
const longest = 64;

/** Names that are unique in one tool, or among the tools of one document. Names that differ in case alone count as equal. */
export class UniqueNames {
  readonly #taken = new Set<string>();
  readonly #others: RegExp;

  /** @param others - matches runs of characters that a name must not have. */
  constructor(others: RegExp) {
    this.#others = others;
  }

  /** True if the name that is like the wanted one is taken. */
  has(wanted: string): boolean {
    return this.#taken.has(this.#written(wanted).toLowerCase());
  }

  /** Returns a name like the wanted one that is not taken, and takes it. */
  take(wanted: string, otherwise: string): string {
    const name = this.#written(wanted) || otherwise;
    let unique = name;
    for (let number = 2; this.#taken.has(unique.toLowerCase()); number++) {
      const suffix = `_${number}`;
      unique = name.slice(0, longest - suffix.length) + suffix;
    }
    this.#taken.add(unique.toLowerCase());
    return unique;
  }

  #written(text: string): string {
    const name = text.slice(0, 1_000).replace(this.#others, '_');
    const plain = name === text && name !== '__proto__' ? name : name.replace(/^_+|_+$/g, '');
    return plain.slice(0, longest);
  }
}

/** Returns names of arguments: `filter[name]` becomes `filter_name`. */
export function argumentNames(): UniqueNames {
  return new UniqueNames(/[^\w.-]+/g);
}

/** Returns names of tools that all clients accept: `GET /pets/{id}` becomes `get_pets_id`. */
export function toolNames(): UniqueNames {
  return new UniqueNames(/[^\w-]+/g);
}
