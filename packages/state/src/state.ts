import type { Clock } from '@tenon/foundation';

/**
 * State that outlives a request, and that several processes may share: sessions, event streams, subscriptions, answers to
 * input requests, counters. One value serves all of them: `createServer(info, { state })`.
 *
 * Every method rejects with a {@link StateError} if the backend cannot answer. None waits longer than the adapter's time limit.
 */
export interface State {
  /**
   * Joins the processes that share the state, as one more of them: `joinProcesses` of `@tenon/mcp-state/adapter`. Absent if no other
   * process reads what this one writes, as with {@link memoryState}.
   */
  join?(settings: JoinSettings): Processes;
  /** Bytes of all values and log entries that the state can hold. Absent if the state does not know them. */
  readonly bytes?: number | undefined;
  readonly kv: KeyValueStore;
  readonly log: LogStore;
  readonly bus: MessageBus;
  readonly leases: LeaseStore;
  readonly status: StateStatus;
  /**
   * Calls the listener each time the status changes.
   * @returns a function that removes the listener.
   */
  onStatus(listener: StatusListener): () => void;
  /** Releases connections and timers. Later calls reject with reason `closed`. */
  close(): Promise<void>;
}

/** `ready`: calls reach the backend. `unavailable`: the connection is lost and is being opened again. `closed`: for good. */
export type StateStatus = 'ready' | 'unavailable' | 'closed';

/** @param cause - the error that made the backend unavailable. */
export type StatusListener = (status: StateStatus, cause?: Error) => void;

/** A value and the version it was written with. */
export interface VersionedValue {
  readonly value: string;
  /** Different for each write, also after a delete. Opaque. */
  readonly version: string;
}

/** A lease that a write depends on: the write fails if a later holder acquired the lease. */
export interface Fence {
  /** The name of the lease: the first two segments of the key that is written. */
  readonly name: string;
  readonly token: number;
}

/** Options of a write. */
export interface WriteOptions {
  /** Milliseconds until the value is gone. Default: it stays until it is deleted. */
  readonly ttl?: number | undefined;
  /** Default: none. */
  readonly fence?: Fence | undefined;
}

/** Options of a write that depends on what is there. */
export interface CompareOptions extends WriteOptions {
  /** The version to replace; undefined: the key must not exist. */
  readonly expected: string | undefined;
}

/** Values by key. A key is two or more segments of letters, digits and `._~:@=+,%-`, such as `session/abc/record`. */
export interface KeyValueStore {
  get(key: string): Promise<VersionedValue | undefined>;
  /** Writes a value whatever is there. @returns its version. */
  put(key: string, value: string, options?: WriteOptions): Promise<string>;
  /**
   * Writes a value if the key has the expected version. The fence is checked in any case.
   * @returns the new version; undefined if nothing was written.
   */
  compareAndSet(key: string, value: string, options: CompareOptions): Promise<string | undefined>;
  /** Sets the time to live, in milliseconds from now, and keeps the version. @returns false if the key does not exist. */
  touch(key: string, ttl: number): Promise<boolean>;
  /**
   * Deletes a value.
   * @param expected - deletes only this version. Default: any.
   * @returns true if a value was deleted.
   */
  delete(key: string, expected?: string): Promise<boolean>;
}

/** The part of a log that is kept. Entries that exceed a bound are dropped, oldest first. */
export interface Retention {
  /** Entries. */
  readonly entries?: number | undefined;
  /** Bytes of UTF-8 of all values together. The newest entry is kept whatever its size. */
  readonly bytes?: number | undefined;
  /** Milliseconds since an entry was appended. */
  readonly age?: number | undefined;
}

/** Options of an append. */
export interface AppendOptions extends WriteOptions {
  /** The part of the log that is kept after this entry. Default: all of it. `ttl` is renewed for the whole log. */
  readonly keep?: Retention | undefined;
}

/** One entry of a log. */
export interface LogEntry {
  /** 1 for the first entry of the log, one more for each that follows, whether or not older ones are kept. */
  readonly position: number;
  readonly value: string;
}

/** A part of a log. */
export interface LogPage {
  /** Oldest first. */
  readonly entries: readonly LogEntry[];
  /** True if entries between the position given and the first entry here are not kept any more. */
  readonly trimmed: boolean;
  /** The position of the newest entry ever appended; 0 if the log does not exist. */
  readonly last: number;
}

/** Append-only logs by key. */
export interface LogStore {
  /** @returns the position of the entry. Entries of all writers are in one order. */
  append(key: string, value: string, options?: AppendOptions): Promise<number>;
  /**
   * Reads the entries after a position.
   * @param after - 0 for the beginning.
   * @param most - entries and bytes of one page; the page ends with the entry that reaches one of them. Default: 1,000 entries, 1 MiB.
   */
  read(key: string, after: number, most?: Pick<Retention, 'entries' | 'bytes'>): Promise<LogPage>;
  /** Drops what exceeds a retention. Positions go on. */
  trim(key: string, keep: Retention): Promise<void>;
  /** Sets the time to live of the whole log, in milliseconds from now. @returns false if the log does not exist. */
  touch(key: string, ttl: number): Promise<boolean>;
  /** @returns true if the log existed. */
  delete(key: string): Promise<boolean>;
}

/** A listener for messages of a topic. */
export interface Subscriber {
  /** Called for one message after the other, in the order of their publication; a returned promise delays the next one. */
  message(text: string): void | Promise<void>;
  /**
   * Called if messages may have been lost: the connection was interrupted, or the subscriber was too slow and its queue is full
   * (1,024 messages or 8 MiB). The subscriber reads again what it depends on.
   */
  gap(): void;
}

/** Messages between processes, delivered at most once, to this process as well. */
export interface MessageBus {
  /** Resolves when the backend has the message. Nothing is kept for later subscribers. */
  publish(topic: string, text: string): Promise<void>;
  /**
   * Resolves when messages published from now on will arrive.
   * @returns a function that ends the subscription; no call follows it.
   */
  subscribe(topic: string, subscriber: Subscriber): Promise<() => Promise<void>>;
}

/** A name held by one holder at a time. */
export interface Lease {
  readonly name: string;
  /** Fencing token: greater than the token of every earlier holder of the name. */
  readonly token: number;
  /** Holds the name for so many more milliseconds from now. @returns false if the lease is lost; it stays lost. */
  renew(ttl: number): Promise<boolean>;
  /** @returns false if the lease was lost before. */
  release(): Promise<boolean>;
}

/** Leases by name. A name is two segments, such as `session/abc`. */
export interface LeaseStore {
  /**
   * Acquires a name that is not held.
   * @param ttl - milliseconds until the name is free again without `renew`.
   * @returns undefined if it is held.
   */
  acquire(name: string, ttl: number): Promise<Lease | undefined>;
}

/** The settings of one process among those that share a state. */
export interface JoinSettings {
  /**
   * The name of the server. Servers with different names then do not share keys, topics and leases, also in one backend: the `state` of the process
   * is the part of this name. Default: all of the state, as adapters choose if the user has set a prefix.
   */
  readonly name?: string | undefined;
  readonly clock: Clock;
  /** Receives failures of handlers, of messages without an answer, and of the subscription. Must not throw. */
  readonly onError: (error: unknown, where: string) => void;
  /** Milliseconds that another process has to answer. Default: 2,000. */
  readonly patience?: number | undefined;
  /** Bytes of the state that this process and the others together may write for one caller. Default: a quarter of the state. */
  readonly bytesPerCaller?: number | undefined;
}

/** Answers a message of another process with JSON. */
export type ProcessMessageHandler = (body: unknown, from: string) => unknown;

/**
 * The processes that share a state, as one of them sees them. They send each other messages over the bus: to one process with an answer, or to
 * all others without.
 */
export interface Processes {
  /** Different for each start of a process: twelve letters and digits. */
  readonly id: string;
  /** The state, or the part of it that belongs to the name of the server. */
  readonly state: State;
  /** Resolves when other processes can reach this one, however long that takes. Rejects if the state is closed before. */
  readonly joined: Promise<void>;
  /**
   * Resolves when other processes can reach this one. Rejects with a StateError within the time limit of the state if the state cannot
   * be reached; the process tries again in the background.
   */
  waitUntilJoined(): Promise<void>;
  /**
   * Handles messages of one kind. If there are several handlers, the first one that does not return undefined answers.
   * @returns a function that removes the handler.
   */
  handle(kind: string, handler: ProcessMessageHandler): () => void;
  /**
   * Calls the listener when messages of other processes may have been lost.
   * @returns a function that removes the listener.
   */
  onGap(listener: () => void): () => void;
  /**
   * Sends a message to one process and resolves with its answer.
   * @throws ProcessGoneError if it has left or does not answer in time; StateError if the state fails, or if the process does not answer soon after
   * an interruption of the state; Error if its handler fails.
   */
  request(process: string, kind: string, body: unknown): Promise<unknown>;
  /** Sends a message to one process. Nothing reports whether it arrives. */
  send(process: string, kind: string, body: unknown): void;
  /** Sends a message to all other processes. Resolves when the state has it; rejects with a StateError. */
  broadcast(kind: string, body: unknown): Promise<void>;
  /** Announces to other processes that this one ends, so that they do not wait for its answers, and closes. Does not reject. */
  leave(): Promise<void>;
  /** Stops receiving messages. Waiting requests reject. */
  close(): Promise<void>;
}

/** The reason for which a call on shared state failed. */
export type StateFailure =
  /** The backend cannot be reached, or did not answer in time. The call may have taken effect. */
  | 'unavailable'
  /** The state was closed. */
  | 'closed'
  /** A later holder acquired the lease that the write depends on. Nothing was written. */
  | 'fenced'
  /** A key, a value or a message exceeds the limits. Nothing was written. */
  | 'too-large'
  /** The backend is full. Nothing was written. */
  | 'full'
  /** The caller has used up its share of the state. Nothing was written. */
  | 'quota';

/** A call on shared state failed. */
export class StateError extends Error {
  override readonly name = 'StateError';
  readonly reason: StateFailure;

  constructor(reason: StateFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}
