import type { EventStore, StoredEvent, StreamKey } from '@tenon/mcp-protocol';
import { eventText, keepAliveText, primingText, retryText, streamHeaders } from './event-text.js';
import type { HttpCall } from './http-call.js';

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
}

/**
 * One event stream of a session, which may outlive the connections it is sent on: what is sent while there is none waits
 * in the store.
 */
export class EventStream {
  readonly key: StreamKey;
  readonly #settings: StreamSettings;
  readonly #onEnded: (stream: EventStream) => void;
  #call: HttpCall | undefined;
  /** The last event that was sent, and the last that was written to the present connection. */
  #sequence = 0;
  #written = 0;
  #storing: Promise<unknown> | undefined;
  #pumping = false;
  #exact = false;
  #over = false;
  #quiet = false;

  constructor(key: StreamKey, settings: StreamSettings, onEnded: (stream: EventStream) => void) {
    this.key = key;
    this.#settings = settings;
    this.#onEnded = onEnded;
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
   */
  attach(call: HttpCall, from?: number): void {
    const after = from ?? this.#written;
    this.#exact = from !== undefined;
    this.#call?.end();
    this.#call = call;
    call.onGone(() => this.#detach(call));
    call.open(streamHeaders);
    const { resumable, primed, retry } = this.#settings;
    if (resumable && primed && after === 0) void call.write(primingText(this.#idOf(0), retry));
    this.#written = after;
    this.#pump();
  }

  /** Sends one message. */
  send(frame: string): Promise<void> | undefined {
    this.#quiet = false;
    this.#sequence++;
    const event: StoredEvent = { sequence: this.#sequence, frame };
    const stored = this.#storing === undefined ? this.#settings.store.append(this.key, event) : undefined;
    if (stored === undefined && this.#storing === undefined) return this.#write(event);
    this.#storing = Promise.resolve(this.#storing)
      .then(() => stored ?? this.#settings.store.append(this.key, event))
      .catch((error: unknown) => this.#settings.onError(error, 'event store'));
    const mine = this.#storing;
    return mine.then(() => {
      if (this.#storing !== mine) return;
      this.#storing = undefined;
      if (this.#call === undefined) this.#settle();
      else this.#pump();
    });
  }

  /** Sends the last message, if there is one, and ends. */
  finish(frame: string | undefined): void {
    this.#over = true;
    if (frame !== undefined) void this.send(frame);
    this.#settle();
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

  keepAlive(): void {
    if (this.#quiet) void this.#call?.write(keepAliveText);
    this.#quiet = true;
  }

  /** The one case that matters for speed: everything before was written, and a connection is there. */
  #write(event: StoredEvent): Promise<void> | undefined {
    if (this.#call === undefined || this.#pumping || this.#written !== event.sequence - 1) return undefined;
    this.#written = event.sequence;
    const text = this.textOf(event);
    if (!this.#over) return this.#call.write(text);
    this.#call.end(text);
    this.#call = undefined;
    return undefined;
  }

  /** Writes what is in the store and was not written yet. */
  #pump(): void {
    if (this.#pumping || this.#call === undefined || this.#storing !== undefined) return;
    if (this.#written === this.#sequence) {
      this.#settle();
      return;
    }
    this.#pumping = true;
    this.#replay().then(
      (whole) => {
        this.#pumping = false;
        if (whole) this.#settle();
        else this.#break();
      },
      (error: unknown) => {
        this.#pumping = false;
        this.#settings.onError(error, 'event store');
        this.#break();
      },
    );
  }

  async #replay(): Promise<boolean> {
    while (this.#call !== undefined && this.#written < this.#sequence && this.#storing === undefined) {
      const call = this.#call;
      const events = await this.#settings.store.after(this.key, this.#written);
      if (this.#call !== call) continue;
      if (events === undefined || events.length === 0) {
        if (this.#exact) return false;
        this.#written = this.#sequence;
        return true;
      }
      for (const event of events) {
        if (event.sequence !== this.#written + 1) return false;
        this.#written = event.sequence;
        void call.write(this.textOf(event));
      }
    }
    return true;
  }

  /** Ends the connection once everything has been written that will ever be. */
  #settle(): void {
    if (!this.#over || this.#storing !== undefined) return;
    if (this.#written < this.#sequence && this.#call !== undefined) {
      this.#pump();
      return;
    }
    this.#call?.end();
    this.#call = undefined;
    this.#onEnded(this);
  }

  /** What should follow is not kept any more: nobody must take what comes for all there was. */
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

/** Stream and place an event id names; undefined for an id that was never given. */
export function readEventId(id: string): { readonly stream: number; readonly sequence: number } | undefined {
  const match = /^(\d{1,15})\.(\d{1,15})$/.exec(id);
  return match === null ? undefined : { stream: Number(match[1]), sequence: Number(match[2]) };
}
