import type { Principal } from '@tenon/mcp-protocol';

/**
 * Decides who sees an entry: in lists, calls, reads, completion and cache scope alike. Anything but true hides it, a promise
 * of true as well.
 */
export type Visibility = (principal: Principal | undefined) => boolean;

/** Something registered under a name. */
export interface Entry {
  /** What stands in a list. */
  readonly definition: unknown;
  readonly visible: Visibility | undefined;
}

/** An entry of a list that came, went, or was put in place of another of its name. */
export interface EntryChange {
  /** What it goes by, in all lists that share the notification. */
  readonly name: string;
  readonly before: Entry | undefined;
  readonly after: Entry | undefined;
}

/** Entries by name, in the order of registration, shared by all peers. */
export class Registry<E extends Entry> {
  readonly #kind: string;
  readonly #entries = new Map<string, E>();
  readonly #numbers = new Map<string, number>();
  readonly #onChange: (change: EntryChange) => void;
  #guarded = 0;
  #version = 0;
  #lastNumber = 0;

  /**
   * @param kind - how errors name an entry, such as `tool`.
   * @param onChange - called after every change, with what came or went; its name tells the kind as well.
   */
  constructor(kind: string, onChange: (change: EntryChange) => void) {
    this.#kind = kind;
    this.#onChange = onChange;
  }

  /** Grows with every change. */
  get version(): number {
    return this.#version;
  }

  /** True when some entry is not for everybody, so that lists differ by caller. */
  get guarded(): boolean {
    return this.#guarded > 0;
  }

  /** The number that was given last. */
  get lastNumber(): number {
    return this.#lastNumber;
  }

  /** What place an entry has in the order of registration: no number is given twice. */
  numberOf(name: string): number | undefined {
    return this.#numbers.get(name);
  }

  /** @throws TypeError when the name is taken. */
  add(name: string, entry: E): void {
    if (this.#entries.has(name)) {
      throw new TypeError(
        `There is already a ${this.#kind} named "${name}". Remove it first, or choose another name.`,
      );
    }
    this.#entries.set(name, entry);
    this.#numbers.set(name, ++this.#lastNumber);
    if (entry.visible !== undefined) this.#guarded++;
    this.#changed(name, undefined, entry);
  }

  /** Takes an entry out and gives it; undefined when there is none. */
  remove(name: string): E | undefined {
    const entry = this.#entries.get(name);
    if (entry === undefined) return undefined;
    this.#entries.delete(name);
    this.#numbers.delete(name);
    if (entry.visible !== undefined) this.#guarded--;
    this.#changed(name, entry, undefined);
    return entry;
  }

  /** True when there is an entry of that name, whoever may see it. */
  has(name: string): boolean {
    return this.#entries.has(name);
  }

  /** The entry, if the caller may see it: anything but true, such as a promise of it, is no leave. */
  find(name: string, principal: Principal | undefined): E | undefined {
    const entry = this.#entries.get(name);
    return entry === undefined || entry.visible === undefined || entry.visible(principal) === true
      ? entry
      : undefined;
  }

  /** Everything the caller may see. */
  *visibleTo(principal: Principal | undefined): Iterable<E> {
    for (const entry of this.#entries.values()) {
      if (entry.visible === undefined || entry.visible(principal) === true) yield entry;
    }
  }

  /** Everything there is. */
  all(): Iterable<E> {
    return this.#entries.values();
  }

  #changed(name: string, before: E | undefined, after: E | undefined): void {
    this.#version++;
    this.#onChange({ name: `${this.#kind} ${name}`, before, after });
  }
}
