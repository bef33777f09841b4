import type { EventStore, StoredEvent, StreamKey } from '@tenon/mcp-protocol';

/** Bounds of {@link MemoryEventStore}. */
export interface MemoryEventLimits {
  /** Events of one session. */
  readonly perSession: number;
  /** Characters of all events together. */
  readonly characters: number;
}

export const defaultMemoryEventLimits: MemoryEventLimits = {
  perSession: 1_024,
  characters: 32 * 1_024 * 1_024,
};

/** What is kept of one session, oldest first. */
interface Log {
  readonly session: string;
  events: Kept[];
  /** Entries before this one were dropped. */
  first: number;
}

interface Kept extends StoredEvent {
  readonly stream: number;
}

/** Keeps the last events of each session in memory; the sessions that sent nothing for longest lose theirs first. */
export class MemoryEventStore implements EventStore {
  readonly #limits: MemoryEventLimits;
  /** In the order in which they last sent something. */
  readonly #logs = new Map<string, Log>();
  #characters = 0;

  constructor(limits: Partial<MemoryEventLimits> = {}) {
    this.#limits = { ...defaultMemoryEventLimits, ...limits };
  }

  append({ session, stream }: StreamKey, { sequence, frame }: StoredEvent): void {
    const log = this.#logs.get(session) ?? { session, events: [], first: 0 };
    this.#logs.delete(session);
    this.#logs.set(session, log);
    log.events.push({ stream, sequence, frame });
    this.#characters += frame.length;
    if (log.events.length - log.first > this.#limits.perSession) this.#dropFirst(log);
    while (this.#characters > this.#limits.characters) this.#dropOldest();
  }

  after({ session, stream }: StreamKey, sequence: number): readonly StoredEvent[] | undefined {
    const log = this.#logs.get(session);
    if (log === undefined) return undefined;
    const found: StoredEvent[] = [];
    let known = false;
    for (let index = log.first; index < log.events.length; index++) {
      const event = log.events[index];
      if (event?.stream !== stream) continue;
      // Whole only if nothing between the event asked for and the first one kept has been dropped.
      if (!known && event.sequence > sequence + 1) return undefined;
      known = true;
      if (event.sequence > sequence) found.push(event);
    }
    return known ? found : undefined;
  }

  forget(session: string): void {
    const log = this.#logs.get(session);
    if (log === undefined) return;
    this.#logs.delete(session);
    for (let index = log.first; index < log.events.length; index++) {
      this.#characters -= log.events[index]?.frame.length ?? 0;
    }
  }

  #dropOldest(): void {
    const [oldest] = this.#logs.values();
    if (oldest !== undefined) this.#dropFirst(oldest);
  }

  #dropFirst(log: Log): void {
    this.#characters -= log.events[log.first]?.frame.length ?? 0;
    log.first++;
    if (log.first === log.events.length) this.#logs.delete(log.session);
    else if (log.first > 64 && log.first * 2 > log.events.length) {
      log.events = log.events.slice(log.first);
      log.first = 0;
    }
  }
}
