import type { RequestStamp } from './revision.js';

/** One event stream of one session. */
export interface StreamKey {
  /** Id of the session: whoever knows it may read what is kept under it. */
  readonly session: string;
  /** Number of the stream within its session. */
  readonly stream: number;
}

/** One message of a stream. */
export interface StoredEvent {
  /** Its place in the stream, counted from 1. */
  readonly sequence: number;
  readonly frame: string;
}

/**
 * Keeps what was sent on resumable streams, so that a client that lost its connection gets the rest. Every
 * implementation is bounded; what falls out is not resumable any more.
 * https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#resumability-and-redelivery
 */
export interface EventStore {
  /** Keeps an event; those of one stream come in order. */
  append(key: StreamKey, event: StoredEvent): void | Promise<void>;
  /**
   * What followed an event of a stream, oldest first; undefined when not all of it is kept.
   * @param characters - how much is wanted at once: a store may stop after the event that reaches this many, and is asked again
   * for what follows. One that knows no bound may return everything.
   */
  after(
    key: StreamKey,
    sequence: number,
    characters?: number,
  ): readonly StoredEvent[] | undefined | Promise<readonly StoredEvent[] | undefined>;
  /** The session is over. */
  forget(session: string): void | Promise<void>;
}

/** What brings a session back to life in a process that does not hold it. JSON. */
export interface SessionRecord {
  /** Name of the revision the handshake chose. */
  readonly revision: string;
  /** What the client said of itself. */
  readonly peer: RequestStamp;
  /** Whom the session belongs to; absent where nobody was authenticated. */
  readonly owner?: string;
  /** When it was opened, in milliseconds since 1970. */
  readonly openedAt: number;
}

/**
 * Keeps sessions beyond one process: any process that shares the store can serve them. What a session was subscribed to
 * does not come back with it.
 */
export interface SessionStore {
  /** Keeps a session for so many milliseconds. */
  put(id: string, record: SessionRecord, ttl: number): void | Promise<void>;
  /** Undefined for a session that is unknown or has expired. */
  get(id: string): SessionRecord | undefined | Promise<SessionRecord | undefined>;
  /** Keeps a session for so many milliseconds from now; false when it is not kept any more. */
  touch(id: string, ttl: number): boolean | Promise<boolean>;
  delete(id: string): void | Promise<void>;
}

/**
 * Remembers what must not be used twice. Every implementation is bounded, and one that is full refuses: what it forgot
 * before its time could be used again.
 */
export interface ReplayStore {
  /**
   * Remembers an id for so many milliseconds.
   * @param owner - whose ids these are: those of one never hold up another's.
   * @returns false when the owner's id is remembered already. It rejects when it cannot tell, or cannot remember.
   */
  remember(owner: string, id: string, ttl: number): boolean | Promise<boolean>;
}
