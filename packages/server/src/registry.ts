import type { Principal } from '@tenon/mcp-protocol';

/** Decides who sees an entry: in lists, calls, reads, completion and cache scope alike. */
export type Visibility = (principal: Principal | undefined) => boolean;

/** Something registered under a name. */
export interface Entry {
  readonly visible: Visibility | undefined;
}

/** Entries by name, in the order of registration, shared by all peers. */
export class Registry<E extends Entry> {
  readonly #kind: string;
  readonly #entries = new Map<string, E>();
  readonly #onChange: (visible: Visibility | undefined) => void;
  #guarded = 0;
  #version = 0;

  /**
   * @param kind - how errors name an entry, such as `tool`.
   * @param onChange - called after every change, with who sees what came or went.
   */
  constructor(kind: string, onChange: (visible: Visibility | undefined) => void) {
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

  /** @throws TypeError when the name is taken. */
  add(name: string, entry: E): void {
    if (this.#entries.has(name)) {
      throw new TypeError(
        `There is already a ${this.#kind} named "${name}". Remove it first, or choose another name.`,
      );
    }
    this.#entries.set(name, entry);
    if (entry.visible !== undefined) this.#guarded++;
    this.#changed(entry);
  }

  /** Takes an entry out and gives it; undefined when there is none. */
  remove(name: string): E | undefined {
    const entry = this.#entries.get(name);
    if (entry === undefined) return undefined;
    this.#entries.delete(name);
    if (entry.visible !== undefined) this.#guarded--;
    this.#changed(entry);
    return entry;
  }

  /** True when there is an entry of that name, whoever may see it. */
  has(name: string): boolean {
    return this.#entries.has(name);
  }

  /** The entry, if the caller may see it. */
  find(name: string, principal: Principal | undefined): E | undefined {
    const entry = this.#entries.get(name);
    return entry === undefined || entry.visible === undefined || entry.visible(principal) ? entry : undefined;
  }

  /** Everything the caller may see. */
  *visibleTo(principal: Principal | undefined): Iterable<E> {
    for (const entry of this.#entries.values()) {
      if (entry.visible === undefined || entry.visible(principal)) yield entry;
    }
  }

  /** Everything there is. */
  all(): Iterable<E> {
    return this.#entries.values();
  }

  #changed(entry: E): void {
    this.#version++;
    this.#onChange(entry.visible);
  }
}
