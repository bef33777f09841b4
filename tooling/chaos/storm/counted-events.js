import { MemoryEventStore } from '@tenon/mcp-server/http';

/** The event store of the server in the storm, which knows how much was given again. */
export class CountedEvents {
  #store = new MemoryEventStore();
  /** Streams that were taken up again after something had been missed. */
  replays = 0;
  /** Events that were given again. */
  replayed = 0;
  /** Streams of which not enough was kept. */
  incomplete = 0;

  /** @type {import('@tenon/mcp-server/http').EventStore['append']} */
  append(key, event) {
    this.#store.append(key, event);
  }

  /** @type {import('@tenon/mcp-server/http').EventStore['after']} */
  after(key, sequence) {
    const events = this.#store.after(key, sequence);
    if (events === undefined) this.incomplete++;
    else {
      this.replays++;
      this.replayed += events.length;
    }
    return events;
  }

  /** @type {import('@tenon/mcp-server/http').EventStore['forget']} */
  forget(session) {
    this.#store.forget(session);
  }
}
