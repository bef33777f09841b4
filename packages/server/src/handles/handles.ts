import { type Clock, systemClock } from '@tenon/foundation';
import type { Principal } from '@tenon/mcp-protocol';
import { consoleReporter } from '../core/console-reporter.js';
import { randomName } from '../core/session-id.js';
import { ToolError } from '../results/tool-result.js';
import {
  checkedHandleOptions,
  type HandleEnd,
  type HandleOptions,
  type HandleSettings,
  retentionOf,
} from './handle-options.js';

/** The caller of a handle; a handler's context fits. */
export interface HandleCaller {
  readonly auth?: Principal | undefined;
}

interface Entry<T> {
  readonly value: T;
  readonly owner: string;
  readonly opened: number;
  used: number;
}

/** Values that tools keep between calls, under opaque names that only the caller who opened them can use. Made by {@link createHandles}. */
export class Handles<T> {
  /** A sentence about the lifetime of a handle, for the description of the tool that opens it. */
  readonly retention: string;
  readonly #settings: HandleSettings<T>;
  readonly #clock: Clock;
  readonly #onError: (error: unknown, where: string) => void;
  // Both maps are in order of use, the least recently used first.
  readonly #entries = new Map<string, Entry<T>>();
  readonly #byOwner = new Map<string, Map<string, Entry<T>>>();
  #sweepAt: number;

  /** @internal */
  constructor(options: HandleOptions<T>) {
    this.#settings = checkedHandleOptions(options);
    this.#clock = options.clock ?? systemClock;
    this.#onError = options.onError ?? consoleReporter(this.#clock);
    this.retention = retentionOf(this.#settings);
    this.#sweepAt = this.#clock.now() + this.#settings.sweepEvery;
  }

  /** The number of open handles of all callers. Expired ones count until they are swept. */
  get size(): number {
    return this.#entries.size;
  }

  /**
   * Stores a value for the caller.
   * @returns its handle: the prefix and 130 random bits. In a handler with input requests, open it in `ctx.once`.
   */
  open(caller: HandleCaller, value: T): string {
    const now = this.#now();
    const owner = ownerOf(caller);
    const { limit, perCaller, prefix } = this.#settings;
    const crowd = this.#byOwner.get(owner);
    if (crowd !== undefined && crowd.size >= perCaller) this.#displaceOldest(crowd);
    if (this.#entries.size >= limit) this.#displaceOldest(this.#entries);
    const own = this.#byOwner.get(owner) ?? new Map<string, Entry<T>>();
    const id = `${prefix}_${randomName()}`;
    const entry = { value, owner, opened: now, used: now };
    this.#entries.set(id, entry);
    own.set(id, entry);
    this.#byOwner.set(owner, own);
    return id;
  }

  /**
   * Returns the value of a handle, and counts as a use of it.
   * @throws ToolError, the same for a handle that is unknown, expired, closed or of another caller; it says what to do.
   */
  get(caller: HandleCaller, id: string): T {
    const now = this.#now();
    const entry = this.#find(caller, id, now);
    if (entry === undefined) throw this.#unknown();
    entry.used = now;
    for (const map of [this.#entries, this.#byOwner.get(entry.owner)]) {
      map?.delete(id);
      map?.set(id, entry);
    }
    return entry.value;
  }

  /**
   * Closes a handle and calls `onEnd`.
   * @throws ToolError like {@link get}.
   */
  close(caller: HandleCaller, id: string): void {
    const entry = this.#find(caller, id, this.#now());
    if (entry === undefined) throw this.#unknown();
    this.#end(id, entry, 'closed');
  }

  /** Closes every handle, for example at the end of the program. */
  closeAll(): void {
    for (const [id, entry] of [...this.#entries]) this.#end(id, entry, 'closed');
  }

  /** Closes the expired handles. Uses of handles also do so from time to time; call it if there may be no use for long. */
  sweep(): void {
    const now = this.#clock.now();
    this.#sweepAt = now + this.#settings.sweepEvery;
    for (const [id, entry] of [...this.#entries])
      if (this.#isOver(entry, now)) this.#end(id, entry, 'expired');
  }

  #now(): number {
    const now = this.#clock.now();
    if (now >= this.#sweepAt) this.sweep();
    return now;
  }

  #find(caller: HandleCaller, id: string, now: number): Entry<T> | undefined {
    const entry = this.#entries.get(id);
    if (entry === undefined || entry.owner !== ownerOf(caller)) return undefined;
    if (!this.#isOver(entry, now)) return entry;
    this.#end(id, entry, 'expired');
    return undefined;
  }

  #isOver(entry: Entry<T>, now: number): boolean {
    const { lifetime, idle } = this.#settings;
    return now - entry.opened >= lifetime || now - entry.used >= idle;
  }

  #displaceOldest(among: ReadonlyMap<string, Entry<T>>): void {
    for (const [id, entry] of among) {
      this.#end(id, entry, 'displaced');
      return;
    }
  }

  #end(id: string, entry: Entry<T>, why: HandleEnd): void {
    // `onEnd` may have closed further handles.
    if (!this.#entries.delete(id)) return;
    const own = this.#byOwner.get(entry.owner);
    own?.delete(id);
    if (own?.size === 0) this.#byOwner.delete(entry.owner);
    const where = `onEnd of ${this.#settings.name} handles`;
    try {
      const freed: unknown = this.#settings.onEnd?.(entry.value, why);
      if (freed instanceof Promise) freed.catch((error: unknown) => this.#onError(error, where));
    } catch (error) {
      this.#onError(error, where);
    }
  }

  #unknown(): ToolError {
    const { name, openedBy } = this.#settings;
    return new ToolError(`This ${name} is unknown or has expired: call ${openedBy} to get another one.`);
  }
}

/**
 * Creates handles for values that tools need in later calls: the tool that opens a handle returns it, other tools have it
 * as an argument. Values are stored in this process, without timers.
 * @throws TypeError or RangeError if an option is invalid.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools#stateful-tools
 */
export function createHandles<T>(options: HandleOptions<T>): Handles<T> {
  return new Handles(options);
}

/** Unauthenticated callers share one identity: any of them can use a handle they know. */
export function ownerOf({ auth }: HandleCaller): string {
  return auth === undefined ? '' : JSON.stringify([auth.issuer ?? null, auth.id]);
}
