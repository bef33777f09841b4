import { type Clock, systemClock } from '@tenon/foundation';
import { consoleReporter } from '../core/console-reporter.js';
import { randomName } from '../core/random-name.js';
import {
  type HandleCaller,
  type HandleEnd,
  type HandleOptions,
  type HandleSettings,
  type Handles,
  ownerOf,
  retentionOf,
  unknownHandle,
} from './handle-options.js';

interface Entry<T> {
  value: T;
  readonly owner: string;
  readonly opened: number;
  used: number;
}

/** Handles of values in this process, without timers. */
export class LocalHandles<T> implements Handles<T> {
  readonly retention: string;
  readonly #settings: HandleSettings<T>;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #onError: (error: unknown, where: string) => void;
  // Both maps are in order of use, the least recently used first.
  readonly #entries = new Map<string, Entry<T>>();
  readonly #byOwner = new Map<string, Map<string, Entry<T>>>();
  #sweepAt: number;

  constructor(settings: HandleSettings<T>, { clock, onError }: Pick<HandleOptions<T>, 'clock' | 'onError'>) {
    this.#settings = settings;
    this.#clock = clock ?? systemClock;
    this.#onError = onError ?? consoleReporter(systemClock);
    this.retention = retentionOf(this.#settings);
    this.#sweepAt = this.#clock.now() + this.#settings.sweepEvery;
  }

  async open(caller: HandleCaller, value: T): Promise<string> {
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

  async get(caller: HandleCaller, id: string): Promise<T> {
    return this.#used(caller, id).value;
  }

  async update(caller: HandleCaller, id: string, change: (value: T) => T): Promise<T> {
    const entry = this.#used(caller, id);
    entry.value = change(entry.value);
    return entry.value;
  }

  async close(caller: HandleCaller, id: string): Promise<void> {
    this.#end(id, this.#find(caller, id, this.#now()), 'closed');
  }

  closeAll(): void {
    for (const [id, entry] of [...this.#entries]) this.#end(id, entry, 'closed');
  }

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

  #used(caller: HandleCaller, id: string): Entry<T> {
    const now = this.#now();
    const entry = this.#find(caller, id, now);
    entry.used = now;
    for (const map of [this.#entries, this.#byOwner.get(entry.owner)]) {
      map?.delete(id);
      map?.set(id, entry);
    }
    return entry;
  }

  #find(caller: HandleCaller, id: string, now: number): Entry<T> {
    const entry = this.#entries.get(id);
    if (entry === undefined || entry.owner !== ownerOf(caller)) throw unknownHandle(this.#settings);
    if (!this.#isOver(entry, now)) return entry;
    this.#end(id, entry, 'expired');
    throw unknownHandle(this.#settings);
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
}
