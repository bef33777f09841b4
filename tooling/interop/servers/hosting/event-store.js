/** The events of one session's streams, in the form that the official SDK requires. */
export class EventStore {
  /** @type {{ stream: string, message: any }[]} */
  #events = [];

  /**
   * @param {string} stream
   * @param {any} message
   */
  async storeEvent(stream, message) {
    return String(this.#events.push({ stream, message }));
  }

  /** @param {string} id */
  async getStreamIdForEventId(id) {
    return this.#events[Number(id) - 1]?.stream;
  }

  /**
   * @param {string} id
   * @param {{ send: (id: string, message: any) => Promise<void> }} to
   */
  async replayEventsAfter(id, { send }) {
    const stream = (await this.getStreamIdForEventId(id)) ?? '';
    for (const [index, event] of [...this.#events.entries()].slice(Number(id))) {
      // The first event of a stream is stored as an empty message; it marks the start of the stream.
      const isMessage = Object.keys(event.message).length > 0;
      if (event.stream === stream && isMessage) await send(String(index + 1), event.message);
    }
    return stream;
  }
}
