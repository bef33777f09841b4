import type { EventStore, StoredEvent, StreamKey } from '@tenon/mcp-protocol';
import { detach, follow } from '@tenon/mcp-protocol/internal';
import type { HttpCall } from '../endpoint/http-call.js';
import { eventText, keepAliveText, primingText, retryText, streamHeaders } from './event-text.js';

/** Characters of a log that are read from a store at once. */
export const replayPiece = 262_144;

/** What the streams of one session share. */
export interface StreamSettings {
  readonly store: EventStore;
  /** Broken connections can be resumed: events have ids. */
  readonly resumable: boolean;
  /** A resumable stream begins with an id and no message. */
  readonly primed: boolean;
  /** Milliseconds a client is told to wait before it comes back. */
  readonly retry: number;
  readonly onError: (error: unknown, where: string) => void;
  /** Told of a stream on which nothing more will come. */
  readonly onEnded: (stream: EventStream) => void;
}

/**
 * One event stream of a session, which may outlive the connections it is sent on: what is sent while there is none waits
 * in the store.
 */
export class EventStream {
  readonly key: StreamKey;
  readonly #settings: StreamSettings;
  #call: HttpCall | undefined;
  #until: number | undefined;
  /** The last event that was sent, that the store has taken, and that was written to the present connection. */
  #sequence = 0;
  #kept = 0;
  #written = 0;
  #storing: Promise<void> | undefined;
  #pumping = false;
  #exact = false;
  #over = false;
  #quiet = false;

  constructor(key: StreamKey, settings: StreamSettings) {
    this.key = key;
    this.#settings = settings;
  }

  /** True while a connection carries it. */
  get attached(): boolean {
    return this.#call !== undefined;
  }

  /** Place of the last event that was sent. */
  get sequence(): number {
    return this.#sequence;
  }

  /** True when a client can come back to it. */
  get canResume(): boolean {
    const { resumable, primed } = this.#settings;
    return resumable && (primed || this.#written > 0);
  }

  /**
   * Goes on at a connection.
   * @param from - the event after which; by default the last one that was written anywhere, and what the store has
   * dropped since is passed over.
   * @param until - what the clock shows when the connection must end.
   */
  attach(call: HttpCall, from?: number, until?: number): void {
    // A client that has gone meanwhile must not take the stream from one that is there.
    if (call.closed) return;
    const after = from ?? this.#written;
    this.#exact = from !== undefined;
    this.#call?.end();
    this.#call = call;
    this.#until = until;
    call.onGone(() => this.#detach(call));
    if (!call.streaming) call.open(streamHeaders);
    const { resumable, primed, retry } = this.#settings;
    if (resumable && primed && after === 0) this.#apart(call.write(primingText(this.#idOf(0), retry)));
    this.#written = after;
    this.#goOn();
  }

  /** Sends one message, once the store has it: a client must be able to come back to whatever it got. */
  send(frame: string): Promise<void> | undefined {
    this.#quiet = false;
    this.#sequence++;
    const event: StoredEvent = { sequence: this.#sequence, frame };
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

  /** Sends the last message, if there is one, and ends. */
  finish(frame: string | undefined): void {
    this.#over = true;
    if (frame === undefined) this.#settle();
    else this.#apart(this.send(frame));
  }

  /** Lets go of the connection; the client comes back for the rest. */
  release(retry: number | undefined): void {
    const call = this.#call;
    if (call === undefined || !this.canResume) return;
    this.#call = undefined;
    call.end(retryText(Math.max(0, Math.round(retry ?? this.#settings.retry))));
  }

  /** Ends without a word. */
  close(): void {
    this.#over = true;
    this.#call?.end();
    this.#call = undefined;
  }

  /** Keeps its connection alive, unless the time of that is over: then its client has to come for another. */
  keepAlive(now: number, isDue: boolean): void {
    if (this.#until !== undefined && now >= this.#until) {
      this.#until = undefined;
      this.#break();
    }
    if (!isDue) return;
    if (this.#quiet) this.#apart(this.#call?.write(keepAliveText));
    this.#quiet = true;
  }

  /** Never fails: what cannot be kept can still be sent. */
  #append(event: StoredEvent): Promise<void> | undefined {
    const failed = (error: unknown) => this.#settings.onError(error, 'event store');
    try {
      return this.#settings.store.append(this.key, event)?.catch(failed);
    } catch (error) {
      failed(error);
      return undefined;
    }
  }

  #taken(event: StoredEvent): Promise<void> | undefined {
    this.#kept = event.sequence;
    const patience = this.#write(event);
    this.#goOn();
    return patience;
  }

  /** The one case that matters for speed: everything before was written, and a connection is there. */
  #write(event: StoredEvent): Promise<void> | undefined {
    if (this.#call === undefined || this.#pumping || this.#written !== event.sequence - 1) return undefined;
    this.#written = event.sequence;
    const text = this.textOf(event);
    if (!this.#over || event.sequence < this.#sequence) return this.#call.write(text);
    this.#call.end(text);
    this.#call = undefined;
    return undefined;
  }

  /** Writes what is in the store and was not written yet, and ends where there is nothing more to come. */
  #goOn(): void {
    if (this.#pumping) return;
    if (this.#call === undefined || this.#written >= this.#kept) {
      this.#settle();
      return;
    }
    this.#pumping = true;
    const done = (whole: boolean) => {
      this.#pumping = false;
      // What should follow is not kept any more: nobody must take what comes for all there was.
      if (!whole) this.#break();
      // More may have been sent since the last look.
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

  /** Ends the connection once everything has been written that will ever be. */
  #settle(): void {
    if (!this.#over || this.#kept < this.#sequence) return;
    this.#call?.end();
    this.#call = undefined;
    this.#settings.onEnded(this);
  }

  /** Ends the connection; what follows waits for the next. */
  #break(): void {
    this.#call?.end();
    this.#call = undefined;
  }

  #detach(call: HttpCall): void {
    if (this.#call === call) this.#call = undefined;
  }

  /** The text of an event as this stream writes it. */
  textOf({ sequence, frame }: StoredEvent): string {
    return eventText(frame, this.#settings.resumable ? this.#idOf(sequence) : undefined);
  }

  #idOf(sequence: number): string {
    return `${this.key.stream}.${sequence}`;
  }
}

/** What an event id names. */
export interface Place {
  readonly stream: number;
  readonly sequence: number;
}

/** What an event id names; undefined for an id that was never given. */
export function readEventId(id: string): Place | undefined {
  const match = /^(\d{1,15})\.(\d{1,15})$/.exec(id);
  return match === null ? undefined : { stream: Number(match[1]), sequence: Number(match[2]) };
}
