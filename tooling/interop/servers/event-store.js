/** What the streams of one session carried, as the official SDK wants it kept. */
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
      // The first event of a stream is kept as an empty message; it only tells where the stream begins.
      const isMessage = Object.keys(event.message).length > 0;
      if (event.stream === stream && isMessage) await send(String(index + 1), event.message);
    }
    return stream;
  }
}
