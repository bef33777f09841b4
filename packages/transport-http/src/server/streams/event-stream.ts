import { detach, follow } from '@tenon/foundation';
import { isOverQuota } from '@tenon/mcp-protocol/internal';
import { eventText, keepAliveText, primingText, retryText, streamHeaders } from '../call/event-text.js';
import type { HttpCall } from '../call/http-call.js';
import type { EventStore, StoredEvent, StreamKey, StreamRenewal } from './event-store.js';

/** Characters of events that are read from a store at once. */
export const replayPiece = 262_144;

/** Another process appends to the stream: it has taken this one for gone. */
export class StreamTakenError extends Error {
  override readonly name = 'StreamTakenError';
}

/** The store has lost an event of the stream, and deleted the rest. */
export class StreamLostError extends Error {
  override readonly name = 'StreamLostError';
}

/** The events of one stream that wait for the store while it is away, and their characters. Past a bound the stream cannot be resumed. */
const [mostLate, mostLateText] = [256, 131_072];

/** Settings that the streams of one session share. */
export interface StreamSettings {
  readonly store: EventStore;
  /** True if broken connections can be resumed: events have ids. */
  readonly resumable: boolean;
  /** True if a resumable stream starts with an id and no message. */
  readonly primed: boolean;
  /** Milliseconds that a client must wait before it resumes. */
  readonly retry: number;
  /** The beginning of the ids of events, before the number of the stream. Default: none. */
  readonly idPrefix?: string | undefined;
  readonly onError: (error: unknown, where: string) => void;
  /**
   * Stores an event after an attempt that failed, or that only had no answer. Default: an event is stored once.
   * @param isPatient - true to wait for a store that is away.
   */
  readonly storeAgain?:
    | ((key: StreamKey, event: StoredEvent, isPatient: boolean) => Promise<void>)
    | undefined;
  /** Called with a stream on which nothing more will be sent. */
  readonly onEnded: (stream: EventStream) => void;
}

/**
 * One event stream of a session, which may outlive the connections it is sent on. Events sent while there is no connection
 * wait in the store.
 */
export class EventStream {
  readonly key: StreamKey;
  readonly #settings: StreamSettings;
  readonly #renewal: StreamRenewal | undefined;
  #call: HttpCall | undefined;
  #until: number | undefined;
  /** The numbers of the last events that were sent, stored, and written to the present connection. */
  #sequence = 0;
  #kept = 0;
  #written = 0;
  #storing: Promise<void> | undefined;
  #pumping = false;
  #exact = false;
  #over = false;
  /** True if another process sends the rest of the stream. */
  #isTaken = false;
  /** True if events are not stored any more: the client has used up its share, or the store has lost one. */
  #isUnstored = false;
  /** Events that the store did not accept while it was away, oldest first. */
  #late: StoredEvent[] = [];
  #quiet = false;
  /** The position before the first event. */
  readonly #origin: number;
  /** Notifies the process that writes the stream to its connection. */
  #wake: (() => void) | undefined;

  /** @param firstEntry - set if the store has an entry before the events, at position 1: resolves when it is stored. */
  constructor(key: StreamKey, settings: StreamSettings, firstEntry?: Promise<void>) {
    this.key = key;
    this.#settings = settings;
    this.#renewal = settings.store.renewal?.(key);
    this.#origin = firstEntry === undefined ? 0 : 1;
    this.#sequence = this.#kept = this.#written = this.#origin;
    this.#storing = firstEntry;
  }

  /** True while the stream has a connection. */
  get attached(): boolean {
    return this.#call !== undefined;
  }

  /** Number of the last event that was sent. */
  get sequence(): number {
    return this.#sequence;
  }

  /** Resolves when the store has the events that were sent; undefined if it has them. */
  get stored(): Promise<void> | undefined {
    return this.#storing;
  }

  /** True if a client can resume the stream. */
  get canResume(): boolean {
    const { resumable, primed } = this.#settings;
    return resumable && (primed || this.#written > this.#origin);
  }

  /**
   * Continues the stream on a connection.
   * @param from - number of the event to continue after. Default: the last event that was written to any connection;
   * events that the store has dropped since are skipped.
   * @param until - the time on the clock at which the connection must end.
   */
  attach(call: HttpCall, from?: number, until?: number): void {
    // A client that has disconnected meanwhile must not take the stream from a connected one.
    if (call.closed) return;
    const after = from ?? this.#written;
    this.#exact = from !== undefined;
    this.#call?.end();
    this.#call = call;
    this.#wake = undefined;
    this.#until = until;
    call.onGone(() => {
      if (this.#call === call) this.#call = undefined;
    });
    if (!call.streaming) call.open(streamHeaders);
    const { resumable, primed, retry } = this.#settings;
    if (resumable && primed && after === this.#origin)
      this.#apart(call.write(primingText(this.#idOf(this.#origin), retry)));
    this.#written = after;
    this.#goOn();
  }

  /** Leaves the stream to another process, which reads the store. `wake` is called for each event that the store has. */
  handOver(wake: () => void): void {
    this.#break();
    this.#wake = wake;
  }

  /** Sends one message after the store has it: a client must be able to resume after every event it received. */
  send(frame: string): Promise<void> | undefined {
    if (this.#isTaken) return undefined;
    this.#quiet = false;
    this.#sequence++;
    const event: StoredEvent = this.#over
      ? { sequence: this.#sequence, frame, last: true }
      : { sequence: this.#sequence, frame };
    const before = this.#storing;
    const storing = before === undefined ? this.#append(event) : before.then(() => this.#append(event));
    if (storing === undefined) return this.#taken(event);
    let patience: Promise<void> | undefined;
    const mine = storing.then(() => {
      if (this.#storing === mine) this.#storing = undefined;
      patience = this.#taken(event);
    });
    this.#storing = mine;
    return mine.then(() => patience);
  }

  /** Sends the last message, if there is one, and ends the stream. */
  finish(frame: string | undefined): void {
    this.#over = true;
    if (frame === undefined) this.#settle();
    else this.#apart(this.send(frame));
  }

  /** Closes the connection; the client resumes for the remaining events. */
  release(retry: number | undefined): void {
    const call = this.#call;
    if (call === undefined || !this.canResume) return;
    this.#call = undefined;
    call.end(retryText(Math.max(0, Math.round(retry ?? this.#settings.retry))));
  }

  /** Sends events without storing them. */
  storeNothing(): void {
    this.#isUnstored = true;
  }

  /**
   * Ends the stream.
   * @param text - events for the connection, if there is one. They are not stored. Default: none.
   */
  close(text?: string): void {
    this.#over = true;
    this.#break(text);
  }

  /** Keeps the connection alive, or ends it if its time is over; the client then has to resume. */
  keepAlive(now: number, isDue: boolean): void {
    if (this.#until !== undefined && now >= this.#until) {
      this.#until = undefined;
      this.#break();
    }
    detach(this.#renewal?.beat(now), (error) => this.#settings.onError(error, 'event store'));
    if (!isDue) return;
    if (this.#quiet) this.#apart(this.#call?.write(keepAliveText));
    this.#quiet = true;
  }

  /** Stores an event. Never fails: an event that cannot be stored can still be sent, unless another process sends the rest. */
  #append(event: StoredEvent): Promise<void> | undefined {
    const failed = (error: unknown) => {
      if (!(error instanceof StreamTakenError)) {
        this.#isUnstored ||= isOverQuota(error) || error instanceof StreamLostError;
        this.#settings.onError(error, 'event store');
        return;
      }
      // No failure: the client receives the rest from the other process.
      this.#isTaken = true;
      this.close();
    };
    if (this.#isUnstored) return undefined;
    if (this.#late.length > 0) return this.#appendLater(event).catch(failed);
    try {
      const stored = this.#settings.store.append(this.key, event);
      return stored?.catch((error: unknown) => this.#appendLater(event, error)).catch(failed);
    } catch (error) {
      failed(error);
      return undefined;
    }
  }

  /** Stores an event, and those before it that the store did not accept. A client with a connection does not wait for a store that is away. */
  async #appendLater(event: StoredEvent, error?: unknown): Promise<void> {
    const { storeAgain } = this.#settings;
    const isFinal =
      error instanceof StreamTakenError || error instanceof StreamLostError || isOverQuota(error);
    if (storeAgain === undefined || isFinal) throw error;
    this.#late.push(event);
    const size = this.#late.reduce((sum, { frame }) => sum + frame.length, 0);
    // Too many: the store notices with the next event that some are missing, and deletes the rest.
    if (this.#late.length > mostLate || size > mostLateText) this.#late = [event];
    if (error !== undefined && this.#call !== undefined) throw error;
    for (let next = this.#late[0]; next !== undefined; next = this.#late[0]) {
      await storeAgain(this.key, next, this.#call === undefined);
      this.#late.shift();
    }
  }

  #taken(event: StoredEvent): Promise<void> | undefined {
    this.#kept = event.sequence;
    this.#wake?.();
    const patience = this.#write(event);
    this.#goOn();
    return patience;
  }

  /**
   * Writes an event directly. The one case that matters for speed: all earlier events were written, and there is a
   * connection.
   */
  #write(event: StoredEvent): Promise<void> | undefined {
    if (this.#call === undefined || this.#pumping || this.#written !== event.sequence - 1) return undefined;
    this.#written = event.sequence;
    const text = this.textOf(event);
    if (!this.#over || event.sequence < this.#sequence) return this.#call.write(text);
    this.#break(text);
    return undefined;
  }

  /** Writes stored events that were not written yet, and ends the stream if nothing more will come. */
  #goOn(): void {
    if (this.#pumping) return;
    if (this.#call === undefined || this.#written >= this.#kept) {
      this.#settle();
      return;
    }
    this.#pumping = true;
    const done = (whole: boolean) => {
      this.#pumping = false;
      // The next events are not stored any more: the client must not take the later ones for all.
      if (!whole) this.#break();
      // More events may have been sent during the read.
      this.#goOn();
    };
    const replayed = this.#replay().catch((error: unknown) => {
      this.#settings.onError(error, 'event store');
      return false;
    });
    follow(replayed, done, (error) => this.#settings.onError(error, 'http'));
  }

  #apart(work: Promise<void> | undefined): void {
    detach(work, (error) => this.#settings.onError(error, 'http'));
  }

  async #replay(): Promise<boolean> {
    while (this.#call !== undefined && this.#written < this.#kept) {
      const call = this.#call;
      const events = await this.#settings.store.after(this.key, this.#written, replayPiece);
      if (this.#call !== call) continue;
      if (events === undefined || events.length === 0) {
        if (this.#exact) return false;
        this.#written = this.#kept;
        return true;
      }
      for (const event of events) {
        if (event.sequence !== this.#written + 1) return false;
        this.#written = event.sequence;
        await call.write(this.textOf(event));
        if (this.#call !== call) break;
      }
    }
    return true;
  }

  /** Ends the connection when everything was written that will ever be sent. */
  #settle(): void {
    if (!this.#over || this.#kept < this.#sequence) return;
    this.#break();
    this.#settings.onEnded(this);
  }

  /** Ends the connection, after a text; later events wait for the next one. */
  #break(text?: string): void {
    this.#call?.end(text);
    this.#call = undefined;
  }

  /** Returns the text of an event of this stream. */
  textOf({ sequence, frame }: StoredEvent): string {
    return eventText(frame, this.#settings.resumable ? this.#idOf(sequence) : undefined);
  }

  #idOf(sequence: number): string {
    return `${this.#settings.idPrefix ?? ''}${this.key.stream}.${sequence}`;
  }
}

/** The stream and event number of an event id. */
export interface Place {
  readonly stream: number;
  readonly sequence: number;
}

/** Returns the stream and event number of an event id; undefined if it is malformed. */
export function readEventId(id: string): Place | undefined {
  const match = /^(\d{1,15})\.(\d{1,15})$/.exec(id);
  return match === null ? undefined : { stream: Number(match[1]), sequence: Number(match[2]) };
}
