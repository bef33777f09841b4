import { isOverQuota } from '@tenon/mcp-protocol/internal';
import type { LogStore, State } from '@tenon/mcp-state';
import type { EventStore, StoredEvent, StreamKey, StreamRenewal } from './event-store.js';
import { StreamLostError, StreamTakenError } from './event-stream.js';

/** The times to live and bounds of streams in shared state. */
export interface LogTimes {
  /** Milliseconds without an event after which a stream that is not answered is deleted. */
  readonly unanswered: number;
  /** Milliseconds for which a stream is kept after its answer. */
  readonly answered: number;
  /** The most recent events that are kept of one stream. */
  readonly events: number;
}

/** A part of a stream, as a process reads it. */
export interface LogPart {
  /** The next events, oldest first. */
  readonly events: readonly StoredEvent[];
  /** True if some of the next events are not kept any more. */
  readonly trimmed: boolean;
  /** The position of the newest event; 0 for an unknown stream. */
  readonly last: number;
}

/** The first entry of the stream of a POST: how another process goes on if this one is gone. */
export interface FirstEntry {
  /** Ids of the requests that are answered on the stream. */
  readonly ids: readonly unknown[];
  /** The message, if its calls may be handled again. */
  readonly message?: unknown;
}

/**
 * The event streams of sessions as logs of the shared state. An entry is a header in JSON, which is empty for most, a line break, and
 * the frame.
 */
export class LogEventStore implements EventStore {
  readonly #log: LogStore;
  readonly #process: string;
  readonly #times: LogTimes;

  /** @param process - the id of this process, in the keys of its streams. */
  constructor(state: Pick<State, 'log'>, process: string, times: LogTimes) {
    this.#log = state.log;
    this.#process = process;
    this.#times = times;
  }

  /** Returns the key of the stream of a POST. */
  keyOf({ session, stream }: StreamKey, process: string = this.#process): string {
    return `session/${session}/stream/${process}/${stream}`;
  }

  /** Starts the stream of a POST. Its first event has position 2. */
  async open(key: StreamKey, firstEntry: FirstEntry): Promise<void> {
    await this.#append(this.keyOf(key), `${JSON.stringify(firstEntry)}\n`, false);
  }

  /**
   * Rejects if the event does not fit into the share of the caller; with a StreamLostError if the log has lost an earlier event, since
   * positions would not fit the ids that clients have; and with a StreamTakenError if another process has appended one.
   */
  async append(key: StreamKey, { sequence, frame, last }: StoredEvent): Promise<void> {
    const name = this.keyOf(key);
    let position: number;
    try {
      position = await this.appendTo(name, frame, last === true);
    } catch (error) {
      // Without this event the others are of no use.
      if (isOverQuota(error)) await this.#log.delete(name);
      throw error;
    }
    if (position === sequence) return;
    if (position > sequence)
      throw new StreamTakenError('Another process has ended or continued a call of this one.');
    await this.#log.delete(name);
    throw new StreamLostError('State: an event of a stream was lost, so the stream cannot be resumed.');
  }

  /** Appends to any stream. @returns the position. */
  appendTo(name: string, frame: string, last: boolean): Promise<number> {
    return this.#append(name, last ? `{"last":true}\n${frame}` : `\n${frame}`, last);
  }

  renewal(key: StreamKey): LogRenewal {
    return this.renewalOf(this.keyOf(key));
  }

  /** Returns the renewal of any stream that is not answered. */
  renewalOf(name: string): LogRenewal {
    return new LogRenewal(this.#log, name, this.#times.unanswered);
  }

  async after(
    key: StreamKey,
    sequence: number,
    characters?: number,
  ): Promise<readonly StoredEvent[] | undefined> {
    const { events, trimmed, last } = await this.read(this.keyOf(key), sequence, characters);
    return trimmed || last === 0 ? undefined : events;
  }

  /** Reads the events after a position. The first entry of the stream of a POST is not an event, and is left out. */
  async read(name: string, after: number, bytes?: number): Promise<LogPart> {
    const { entries, trimmed, last } = await this.#log.read(
      name,
      after,
      bytes === undefined ? {} : { bytes },
    );
    const events: StoredEvent[] = [];
    for (const { position, value } of entries) {
      const { header, frame } = parted(value);
      if (header?.ids === undefined) events.push({ sequence: position, frame, last: header?.last === true });
    }
    return { events, trimmed: trimmed || after > last, last };
  }

  /** Appends an event, unless an earlier attempt without an answer has appended it. */
  async appendAgain(key: StreamKey, event: StoredEvent): Promise<void> {
    const earlier = await this.find(this.keyOf(key), event.sequence - 1, event.frame);
    if (earlier === undefined) await this.append(key, event);
  }

  /** Deletes a stream. @returns true if there was one. */
  delete(name: string): Promise<boolean> {
    return this.#log.delete(name);
  }

  /** Returns how a stream began; undefined for an unknown stream. Without ids, that is not kept any more. */
  async readFirstEntry(name: string): Promise<FirstEntry | undefined> {
    const { entries, last } = await this.#log.read(name, 0, { entries: 1 });
    if (last === 0) return undefined;
    const [first] = entries;
    const header = first?.position === 1 ? parted(first.value).header : undefined;
    return Array.isArray(header?.ids) ? { ids: header.ids, message: header.message } : { ids: [] };
  }

  /** Returns the position of the newest entry of a stream, and whether the stream has its last event. */
  async end(name: string): Promise<{ readonly isAnswered: boolean; readonly last: number }> {
    // The first entry can fill a page.
    for (let after = 1; ; ) {
      const { events, last } = await this.read(name, after);
      const newest = events.at(-1);
      if (newest?.last === true) return { isAnswered: true, last };
      if (newest === undefined || newest.sequence >= last) return { isAnswered: false, last };
      after = newest.sequence;
    }
  }

  /**
   * Returns the position after which the rest of a stream is for a client that has more events than were stored before the process of
   * the stream ended. After the answer of another process, it is not known which events the client has: it receives all.
   */
  async rest(name: string, last: number): Promise<number> {
    return (await this.end(name)).isAnswered ? 1 : last;
  }

  /** Returns the position of an event with this frame after a position; undefined if there is none. */
  async find(name: string, after: number, frame: string): Promise<number | undefined> {
    const { events } = await this.read(name, after);
    return events.find((event) => event.frame === frame)?.sequence;
  }

  /** Logs that are not used any more are deleted when their time is over. */
  forget(): void {}

  #append(name: string, value: string, last: boolean): Promise<number> {
    const { answered, unanswered, events } = this.#times;
    return this.#log.append(name, value, { ttl: last ? answered : unanswered, keep: { entries: events } });
  }
}

/** Extends the time of a stream in use, which may have no event for long. */
export class LogRenewal implements StreamRenewal {
  readonly #log: LogStore;
  readonly #name: string;
  readonly #ttl: number;
  #dueAt: number | undefined;

  constructor(log: LogStore, name: string, ttl: number) {
    this.#log = log;
    this.#name = name;
    this.#ttl = ttl;
  }

  /** Extends the time if a third of it is over since the last extension. Rejects with a StateError. */
  beat(now: number): Promise<unknown> | undefined {
    const isDue = this.#dueAt !== undefined && now >= this.#dueAt;
    if (isDue || this.#dueAt === undefined) this.#dueAt = now + this.#ttl / 3;
    return isDue ? this.#log.touch(this.#name, this.#ttl) : undefined;
  }
}

interface Header {
  readonly ids?: unknown;
  readonly message?: unknown;
  readonly last?: unknown;
}

/** @throws TypeError for an entry of another shape: other programs may write to the state, and frames are sent to clients unchanged. */
function parted(value: string): { readonly header: Header | undefined; readonly frame: string } {
  const end = value.indexOf('\n');
  const frame = value.slice(end + 1);
  if (end === -1 || /[\r\n]/.test(frame))
    throw new TypeError('The log of a stream has an entry of another shape.');
  if (end === 0) return { header: undefined, frame };
  const header: unknown = JSON.parse(value.slice(0, end));
  return { header: typeof header === 'object' && header !== null ? header : undefined, frame };
}
