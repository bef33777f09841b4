import { streamHeaders } from '../call/event-text.js';
import type { HttpCall } from '../call/http-call.js';
import { internalError, refuse } from '../call/refusal.js';
import type { StoredEvent } from './event-store.js';
import { EventStream, type Place, readEventId, replayPiece, type StreamSettings } from './event-stream.js';
import {
  ended,
  type Resumption,
  type SessionStreams,
  type StreamOwner,
  unknownEvent,
} from './session-streams.js';

/** The number of the stream that a GET opens. */
const standalone = 0;

/** The event streams of a session that one process serves. */
export class LocalStreams implements SessionStreams {
  readonly #owner: StreamOwner;
  readonly #settings: StreamSettings;
  readonly #streams = new Map<number, EventStream>();
  #last = standalone;

  constructor(owner: StreamOwner, settings: Omit<StreamSettings, 'onEnded' | 'resumable' | 'primed'>) {
    this.#owner = owner;
    const { store, retry, onError } = settings;
    const { resumable, primed } = owner;
    const onEnded = ({ key }: EventStream) => this.#streams.delete(key.stream);
    this.#settings = { store, retry, onError, resumable, primed, onEnded };
  }

  get attached(): boolean {
    for (const stream of this.#streams.values()) if (stream.attached) return true;
    return false;
  }

  open(call: HttpCall): EventStream {
    const stream = this.#stream(++this.#last);
    stream.attach(call);
    return stream;
  }

  send(frame: string): Promise<void> | undefined {
    return this.#stream(standalone).send(frame);
  }

  resume(call: HttpCall, { lastEventId, until }: Resumption): void {
    if (lastEventId === undefined || !this.#owner.resumable) {
      this.#stream(standalone).attach(call, undefined, until);
      return;
    }
    const place = readEventId(lastEventId);
    if (place === undefined) {
      refuse(call, unknownEvent);
      return;
    }
    const live = place.stream === standalone ? this.#stream(standalone) : this.#streams.get(place.stream);
    if (live !== undefined && place.sequence > live.sequence) refuse(call, unknownEvent);
    else if (live?.sequence === place.sequence) live.attach(call, place.sequence, until);
    else this.#replay(call, place, { live, until }).catch((error: unknown) => this.#failed(call, error));
  }

  keepAlive(now: number, isDue: boolean): void {
    for (const stream of this.#streams.values()) stream.keepAlive(now, isDue);
  }

  stored(): Promise<unknown> | undefined {
    const storing = [...this.#streams.values()].flatMap(({ stored }) => stored ?? []);
    return storing.length === 0 ? undefined : Promise.all(storing);
  }

  close(): void {
    for (const stream of this.#streams.values()) stream.close();
    this.#streams.clear();
  }

  /** Resumes a stream that is still open, or replays the stored events of a stream that has ended. */
  async #replay(
    call: HttpCall,
    place: Place,
    { live, until }: { live: EventStream | undefined; until: number | undefined },
  ): Promise<void> {
    const kept = await this.#keptAfter(place);
    if (this.#owner.over) refuse(call, ended);
    else if (kept === undefined) refuse(call, unknownEvent);
    else if (live !== undefined) live.attach(call, place.sequence, until);
    else {
      call.open(streamHeaders);
      await this.#write(call, place, kept);
      call.end();
    }
  }

  /** Reads the next stored events after one, not all at once; undefined if some are missing. */
  async #keptAfter({ stream, sequence }: Place): Promise<readonly StoredEvent[] | undefined> {
    return this.#settings.store.after({ session: this.#owner.id, stream }, sequence, replayPiece);
  }

  /** Writes the stored events of a stream in chunks, no faster than they are read. */
  async #write(call: HttpCall, { stream, sequence }: Place, first: readonly StoredEvent[]): Promise<void> {
    const replayed = new EventStream({ session: this.#owner.id, stream }, this.#settings);
    let last = sequence;
    for (let kept: readonly StoredEvent[] | undefined = first; kept !== undefined && kept.length > 0; ) {
      for (const event of kept) {
        // Stops at a gap: the client must not take the rest for all events.
        if (call.closed || this.#owner.over || event.sequence !== last + 1) return;
        last = event.sequence;
        await call.write(replayed.textOf(event));
      }
      kept = await this.#keptAfter({ stream, sequence: last });
    }
  }

  #failed(call: HttpCall, error: unknown): void {
    this.#settings.onError(error, 'event store');
    if (call.streaming) call.end();
    else refuse(call, internalError);
  }

  #stream(number: number): EventStream {
    let stream = this.#streams.get(number);
    if (stream === undefined) {
      stream = new EventStream({ session: this.#owner.id, stream: number }, this.#settings);
      this.#streams.set(number, stream);
    }
    return stream;
  }
}
