/** One event stream of one session. */
export interface StreamKey {
  /** Id of the session. It is a secret: it gives access to the stream. */
  readonly session: string;
  /** Number of the stream within its session and process. */
  readonly stream: number;
}

/** One message of a stream. */
export interface StoredEvent {
  /** The position in the stream, counted from 1. */
  readonly sequence: number;
  /** Empty for an end without a message. */
  readonly frame: string;
  /** True if the stream ends with this event. */
  readonly last?: boolean;
}

/** Extends the time for which a stream in use is kept. */
export interface StreamRenewal {
  /** Called often while the stream is in use. Rejects if the store fails. */
  beat(now: number): Promise<unknown> | undefined;
}

/**
 * Stores the events of resumable streams, so that a client that lost its connection receives the rest. Every
 * implementation is bounded; dropped events can no longer be resumed.
 * https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#resumability-and-redelivery
 */
export interface EventStore {
  /** Stores an event. Events of one stream arrive in order. */
  append(key: StreamKey, event: StoredEvent): void | Promise<void>;
  /**
   * Returns the events after a position, oldest first; undefined if some of them have been dropped.
   * @param characters - the size of one page: the store may stop after the event that reaches it, and is called again for the rest.
   */
  after(
    key: StreamKey,
    sequence: number,
    characters?: number,
  ): readonly StoredEvent[] | undefined | Promise<readonly StoredEvent[] | undefined>;
  /** Returns the renewal of a stream. Absent if its events are kept whatever their age. */
  renewal?(key: StreamKey): StreamRenewal;
  /** Deletes the events of a session that has ended. */
  forget(session: string): void | Promise<void>;
}
