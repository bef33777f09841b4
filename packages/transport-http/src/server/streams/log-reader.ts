import { detach } from '@tenon/foundation';
import { eventText, keepAliveText } from '../call/event-text.js';
import type { HttpCall } from '../call/http-call.js';
import { replayPiece } from './event-stream.js';
import type { LogEventStore, LogRenewal } from './log-event-store.js';

/** A stream in the log of the shared state, and the connection that it is written to. */
export interface Reading {
  readonly call: HttpCall;
  readonly logs: LogEventStore;
  /** The key of the log. */
  readonly name: string;
  /** The position after which events are written. */
  readonly after: number;
  /** The beginning of the ids of its events; undefined if clients cannot resume. */
  readonly idPrefix: string | undefined;
  /** True if the reader goes on after events that are not kept any more; false if it ends the connection. */
  readonly skips: boolean;
  /** The time on the clock at which the connection must end. */
  readonly until: number | undefined;
  readonly onError: (error: unknown, where: string) => void;
  /** Called when events were skipped. */
  readonly onSkipped?: () => void;
  /** Returns the events that end the connection if the state has lost the log. Default: none. */
  readonly lostText?: () => string | undefined;
  /** Called once, when nothing more is written. */
  readonly onEnded: (reader: LogReader) => void;
}

/** Writes a log to a connection: what is kept, then what is appended. The process that appends wakes the reader. */
export class LogReader {
  readonly #reading: Reading;
  readonly #renewal: LogRenewal;
  #written: number;
  #pumping = false;
  #again = false;
  #quiet = false;
  #over = false;
  #complete = false;
  #onOver = (): void => {};

  constructor(reading: Reading) {
    this.#reading = reading;
    this.#renewal = reading.logs.renewalOf(reading.name);
    this.#written = reading.after;
    reading.call.onGone(() => this.#end());
  }

  /** The position of the last event that was written. */
  get written(): number {
    return this.#written;
  }

  /** True when nothing more is written. */
  get over(): boolean {
    return this.#over;
  }

  /** Sets the function that is called when nothing more is written: at once if that is so. Replaces an earlier one. */
  onOver(listener: () => void): void {
    this.#onOver = listener;
    if (this.#over) listener();
  }

  /** Ends the connection after what is in the log: nothing more is appended. */
  complete(): void {
    this.#complete = true;
    this.wake();
  }

  /** Reads what was appended. */
  wake(): void {
    if (this.#over) return;
    this.#again = true;
    if (this.#pumping) return;
    this.#pumping = true;
    detach(this.#pump(), (error) => {
      this.#pumping = false;
      // The client resumes, perhaps when the state can be reached again.
      this.#reading.onError(error, 'state');
      this.close();
    });
  }

  /** Keeps the connection alive, or ends it if its time is over; the client then has to resume. */
  keepAlive(now: number, isDue: boolean): void {
    const { call, until, onError } = this.#reading;
    if (until !== undefined && now >= until) this.close();
    if (this.#over) return;
    detach(this.#renewal.beat(now), (error) => onError(error, 'state'));
    if (!isDue) return;
    if (this.#quiet) detach(call.write(keepAliveText), (error) => onError(error, 'http'));
    this.#quiet = true;
    this.wake();
  }

  /**
   * Closes the connection.
   * @param text - events to write before. Default: none.
   */
  close(text?: string): void {
    if (this.#over) return;
    this.#reading.call.end(text);
    this.#end();
  }

  async #pump(): Promise<void> {
    const { call, logs, name, idPrefix, skips, lostText } = this.#reading;
    while (this.#again && !this.#over) {
      this.#again = false;
      const { events, trimmed, last: newest } = await logs.read(name, this.#written, replayPiece);
      if (trimmed && !skips) return this.close(newest === 0 ? lostText?.() : undefined);
      if (trimmed) this.#reading.onSkipped?.();
      // The log was deleted, and has begun again.
      if (newest < this.#written) {
        this.#written = 0;
        this.#again = newest > 0;
      }
      for (const { sequence, frame, last } of events) {
        if (this.#over) break;
        this.#written = sequence;
        this.#quiet = false;
        const id = idPrefix === undefined ? undefined : `${idPrefix}${sequence}`;
        if (frame !== '') await call.write(eventText(frame, id));
        if (last === true) this.close();
      }
      // A page may have ended before the end of the log.
      if (events.length > 0) this.#again = true;
      else if (this.#complete && !this.#again) this.close();
    }
    this.#pumping = false;
  }

  #end(): void {
    if (this.#over) return;
    this.#over = true;
    this.#onOver();
    this.#reading.onEnded(this);
  }
}
