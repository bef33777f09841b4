import type { EventStore, StoredEvent, StreamKey } from '@tenon/mcp-protocol';
import { isObject } from '@tenon/mcp-protocol/internal';

/**
 * An event store whose events are checked when they are read: other programs may write to it, and what it gives goes to
 * clients as it is.
 */
export class CheckedEventStore implements EventStore {
  readonly #store: EventStore;

  constructor(store: EventStore) {
    this.#store = store;
  }

  append(key: StreamKey, event: StoredEvent): void | Promise<void> {
    return this.#store.append(key, event);
  }

  /** Rejects with a TypeError when the events are not those that followed, in order, each with a message on one line. */
  async after(
    key: StreamKey,
    sequence: number,
    characters?: number,
  ): Promise<readonly StoredEvent[] | undefined> {
    const events: unknown = await this.#store.after(key, sequence, characters);
    if (events === undefined || events === null) return undefined;
    if (!Array.isArray(events)) throw new TypeError('The event store gave no list of events.');
    if (!events.every((event, index) => isEvent(event, sequence + 1 + index)))
      throw new TypeError(
        `The event store gave something else than the events that followed number ${sequence} of a stream.`,
      );
    return events;
  }

  forget(session: string): void | Promise<void> {
    return this.#store.forget(session);
  }
}

function isEvent(value: unknown, sequence: number): boolean {
  if (!isObject(value) || value.sequence !== sequence) return false;
  // A line break would begin another event.
  return typeof value.frame === 'string' && !/[\r\n]/.test(value.frame);
}
