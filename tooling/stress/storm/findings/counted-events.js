import { MemoryEventStore } from '@tenon/mcp-transport-http/server/internal';

/** Counts the events that the server of the storm sends again. */
export class CountedEvents {
  /** Streams that were resumed after events had been missed. */
  replays = 0;
  /** Events that were sent again. */
  replayed = 0;
  /** Streams that could not be resumed completely. */
  incomplete = 0;

  constructor() {
    const { after } = MemoryEventStore.prototype;
    const note = this.#note.bind(this);
    MemoryEventStore.prototype.after = function (...given) {
      return note(after.apply(this, given));
    };
  }

  /** @param {ReturnType<MemoryEventStore['after']>} events */
  #note(events) {
    if (events === undefined) this.incomplete++;
    else {
      this.replays++;
      this.replayed += events.length;
    }
    return events;
  }
}
