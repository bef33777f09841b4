import { nearest, withoutControls } from '@tenon/foundation';
import { ErrorCode, type Principal, RpcError } from '@tenon/mcp-protocol';
import type { ServerGuard } from './server-guard.js';

/**
 * Decides which callers see an entry: in lists, calls, reads, completion and cache scope. Any value but true hides it, also a promise
 * of true.
 */
export type Visibility = (principal: Principal | undefined) => boolean;

/** An entry registered under a name. */
export interface Entry {
  /** The item of a list. */
  readonly definition: unknown;
  readonly visible: Visibility | undefined;
  readonly scopes?: readonly string[] | undefined;
}

/** A change of a list: an entry was added, removed or replaced. */
export interface EntryChange {
  /** The name of the entry, unique in all lists that share the notification. */
  readonly name: string;
  readonly before: Entry | undefined;
  readonly after: Entry | undefined;
}

/** The entries of all peers by name, in the order of registration. */
export class Registry<E extends Entry> {
  /** The type of entry, such as `tool`. */
  readonly kind: string;
  readonly #entries = new Map<string, E>();
  readonly #numbers = new Map<string, number>();
  readonly #serverGuard: ServerGuard;
  readonly #onChange: (change: EntryChange) => void;
  #guarded = 0;
  #version = 0;
  #lastNumber = 0;

  /**
   * @param kind - the type of entry in errors, such as `tool`.
   * @param serverGuard - the guard of the server.
   * @param onChange - called after every change, with the change; its name includes the type.
   */
  constructor(kind: string, serverGuard: ServerGuard, onChange: (change: EntryChange) => void) {
    this.kind = kind;
    this.#serverGuard = serverGuard;
    this.#onChange = onChange;
  }

  /** A number that grows with every change. */
  get version(): number {
    return this.#version;
  }

  /** True if some entries are not visible to all callers, so that lists differ by caller. */
  get guarded(): boolean {
    return this.#guarded > 0;
  }

  /** The number of the last registration. */
  get lastNumber(): number {
    return this.#lastNumber;
  }

  /** The position of an entry in the order of registration: no number is used twice. */
  numberOf(name: string): number | undefined {
    return this.#numbers.get(name);
  }

  /** @throws TypeError if the name is taken, or if the entry needs scopes and callers are unauthenticated. */
  add(name: string, entry: E): void {
    if (this.#entries.has(name)) {
      throw new TypeError(
        `There is already a ${this.kind} named "${name}". Remove it first, or choose another name.`,
      );
    }
    this.#serverGuard.add(`${this.kind} "${name}"`, entry.scopes);
    this.#entries.set(name, entry);
    this.#numbers.set(name, ++this.#lastNumber);
    if (entry.visible !== undefined) this.#guarded++;
    this.#changed(name, undefined, entry);
  }

  /** Removes and returns an entry; undefined if there is none. */
  remove(name: string): E | undefined {
    const entry = this.#entries.get(name);
    if (entry === undefined) return undefined;
    this.#serverGuard.remove(`${this.kind} "${name}"`);
    this.#entries.delete(name);
    this.#numbers.delete(name);
    if (entry.visible !== undefined) this.#guarded--;
    this.#changed(name, entry, undefined);
    return entry;
  }

  /** Returns an entry without regard to visibility. */
  get(name: string): E | undefined {
    return this.#entries.get(name);
  }

  /** True if there is an entry of that name, visible or not. */
  has(name: string): boolean {
    return this.#entries.has(name);
  }

  /** Returns the entry, if it is visible to the caller: `visible` must return true, not a promise. */
  find(name: string, principal: Principal | undefined): E | undefined {
    const entry = this.#entries.get(name);
    return entry === undefined || entry.visible === undefined || entry.visible(principal) === true
      ? entry
      : undefined;
  }

  /** Iterates over the entries that are visible to the caller. */
  *visibleTo(principal: Principal | undefined): Iterable<E> {
    for (const entry of this.#entries.values()) {
      if (entry.visible === undefined || entry.visible(principal) === true) yield entry;
    }
  }

  /** Iterates over the names that the caller may see. */
  *namesFor(principal: Principal | undefined): Iterable<string> {
    for (const [name, { visible }] of this.#entries)
      if (visible === undefined || visible(principal) === true) yield name;
  }

  /** Iterates over all entries. */
  all(): Iterable<E> {
    return this.#entries.values();
  }

  #changed(name: string, before: E | undefined, after: E | undefined): void {
    this.#version++;
    this.#onChange({ name: `${this.kind} ${name}`, before, after });
  }
}

/** Returns the error for a name of a caller that has no entry. It names an entry that may have been meant, if the caller may see it. */
export function unknownEntry(
  registry: Pick<Registry<Entry>, 'kind' | 'namesFor'>,
  name: string,
  principal: Principal | undefined,
): RpcError {
  const shown = withoutControls(name.slice(0, 128));
  const meant = nearest(name, registry.namesFor(principal));
  const hint = meant === undefined ? '' : `. Did you mean "${meant}"?`;
  return new RpcError(ErrorCode.invalidParams, `Unknown ${registry.kind}: ${shown}${hint}`);
}
