import { httpBounds } from '../call/http-limits.js';
import type { EventStore, StoredEvent, StreamKey } from './event-store.js';

/** Limits of {@link MemoryEventStore}. */
export interface MemoryEventLimits {
  /** Events of one session. */
  readonly perSession: number;
  /** Characters of all events together. */
  readonly characters: number;
}

/** The stored events of one session, oldest first. */
interface Log {
  readonly session: string;
  events: (Kept | undefined)[];
  /** Index of the first entry that was not dropped. */
  first: number;
  /** Characters stored. */
  characters: number;
  /** Binary digits of that number. */
  size: number;
}

interface Kept extends StoredEvent {
  readonly stream: number;
}

/**
 * Keeps the most recent events of each session in memory. Sessions with the most characters lose events first, so that a
 * noisy session does not affect the others. Among sessions of about the same size, the one that has had this size longest
 * loses events first.
 */
export class MemoryEventStore implements EventStore {
  readonly #limits: MemoryEventLimits;
  readonly #logs = new Map<string, Log>();
  /** Logs by size. Sizes in one set differ by less than a factor of two. */
  readonly #alike = new Map<number, Set<Log>>();
  #characters = 0;

  constructor(limits: Partial<MemoryEventLimits> = {}) {
    const { sessionEvents, eventCharacters } = httpBounds;
    const { perSession = sessionEvents, characters = eventCharacters } = limits;
    // The size classes end here; more would not fit into memory either.
    this.#limits = { perSession, characters: Math.min(characters, 2 ** 31) };
  }

  append({ session, stream }: StreamKey, { sequence, frame }: StoredEvent): void {
    const log = this.#logs.get(session) ?? { session, events: [], first: 0, characters: 0, size: 0 };
    if (log.events.length === 0) this.#logs.set(session, log);
    log.events.push({ stream, sequence, frame });
    const excess = log.events.length - log.first > this.#limits.perSession;
    const change = frame.length - (excess ? this.#takeFirst(log) : 0);
    this.#characters += change;
    log.characters += change;
    if (32 - Math.clz32(log.characters) !== log.size) this.#move(log);
    while (this.#characters > this.#limits.characters) this.#dropFirst(this.#largest());
  }

  after(
    { session, stream }: StreamKey,
    sequence: number,
    characters: number = Number.POSITIVE_INFINITY,
  ): readonly StoredEvent[] | undefined {
    const log = this.#logs.get(session);
    if (log === undefined) return undefined;
    const found: StoredEvent[] = [];
    let known = false;
    let length = 0;
    for (let index = log.first; index < log.events.length && length < characters; index++) {
      const event = log.events[index];
      if (event?.stream !== stream) continue;
      // Complete only if no event between the requested one and the first stored one was dropped.
      if (!known && event.sequence > sequence + 1) return undefined;
      known = true;
      if (event.sequence <= sequence) continue;
      found.push(event);
      length += event.frame.length;
    }
    return known ? found : undefined;
  }

  forget(session: string): void {
    const log = this.#logs.get(session);
    if (log === undefined) return;
    this.#logs.delete(session);
    this.#alike.get(log.size)?.delete(log);
    this.#characters -= log.characters;
  }

  #largest(): Log {
    for (let size = Math.max(...this.#alike.keys()); size > 0; size--) {
      const [first] = this.#alike.get(size) ?? [];
      if (first !== undefined) return first;
      this.#alike.delete(size);
    }
    throw new RangeError('The store holds no events.');
  }

  #move(log: Log): void {
    this.#alike.get(log.size)?.delete(log);
    log.size = 32 - Math.clz32(log.characters);
    const alike = this.#alike.get(log.size);
    if (alike === undefined) this.#alike.set(log.size, new Set([log]));
    else alike.add(log);
  }

  #dropFirst(log: Log): void {
    const length = this.#takeFirst(log);
    this.#characters -= length;
    log.characters -= length;
    if (32 - Math.clz32(log.characters) !== log.size) this.#move(log);
    if (log.first === log.events.length) this.forget(log.session);
  }

  /** Removes the oldest event and returns its length. */
  #takeFirst(log: Log): number {
    const { length } = log.events[log.first]?.frame ?? '';
    // The list is shortened only now and then: until then it must not keep dropped events in memory.
    log.events[log.first] = undefined;
    log.first++;
    if (log.first > 64 && log.first * 2 > log.events.length && log.first < log.events.length) {
      log.events = log.events.slice(log.first);
      log.first = 0;
    }
    return length;
  }
}
