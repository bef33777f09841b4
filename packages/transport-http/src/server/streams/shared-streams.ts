import { type Clock, detach } from '@tenon/foundation';
import { ErrorCode, type SuspendedCall } from '@tenon/mcp-protocol';
import { errorFrame, isRequestId } from '@tenon/mcp-protocol/internal';
import { StateError } from '@tenon/mcp-state';
import { untilReached } from '@tenon/mcp-state/internal';
import { eventText, primingText, streamHeaders } from '../call/event-text.js';
import type { HttpCall } from '../call/http-call.js';
import { internalError, noState, refuse } from '../call/refusal.js';
import type { AnswerStream } from '../exchange/http-exchange.js';
import { EventStream, type StreamSettings } from './event-stream.js';
import { refuseLeft } from './hand-over.js';
import type { FirstEntry, LogEventStore } from './log-event-store.js';
import { LogReader } from './log-reader.js';
import { PostStream } from './post-stream.js';
import { type Resumption, type SessionStreams, type StreamOwner, unknownEvent } from './session-streams.js';
import { type PostPlace, readSharedEventId, type SharedStreamKey } from './shared-stream-key.js';

/** The session of the streams. */
export interface SharedOwner extends StreamOwner {
  /** True while this process leaves the session to others. */
  readonly draining: boolean;
  /** Notifies the client of all that it listens to: messages may have been lost. */
  missed(): void;
}

/** The other processes, as the streams of a session see them. */
export interface StreamProcesses {
  /** The id of this process. */
  readonly id: string;
  readonly logs: LogEventStore;
  readonly retry: number;
  readonly onError: (error: unknown, where: string) => void;
  /** Returns the first entry of the stream of a message. */
  firstEntryOf(message: unknown): FirstEntry;
  /**
   * Makes this process the one that sends the out stream of a session: the messages that belong to no request.
   * @returns the position in the out stream up to which clients have received the messages; undefined if a later GET is at another process, or
   * the session has ended.
   */
  claimOutStream(session: string): Promise<number | undefined>;
  /** Announces the claim to other processes, after its GET has opened. */
  announceOutStream(session: string): Promise<void>;
  savePosition(session: string, position: number): Promise<void>;
  /** Wakes the readers of the messages that belong to no request, at other processes. */
  wakeOutStream(session: string): void;
  /** Wakes a process that reads a stream of this one. */
  wakeReader(process: string, key: SharedStreamKey): void;
  /**
   * Requests the process of a stream to leave its connection to this one.
   * @returns false if the stream has ended there; undefined if the process is gone.
   */
  follow(key: SharedStreamKey): Promise<boolean | undefined>;
  /** Continues the calls of a process that is gone, or answers them with errors. */
  succeed(key: SharedStreamKey): Promise<void>;
  /**
   * Keeps the state of a call that waits for input, or goes on with its answers; undefined: the call has ended. Does not reject.
   * @returns false if another process has continued the call.
   */
  keepCall(key: SharedStreamKey, message: unknown, call: SuspendedCall | undefined): Promise<boolean>;
  readonly clock: Clock;
}

/** Milliseconds between two looks whether the process of a stream is still there. */
const lookEvery = 3_000;

/** The event streams of a session that several processes serve. */
export class SharedStreams implements SessionStreams {
  readonly #owner: SharedOwner;
  readonly #processes: StreamProcesses;
  readonly #settings: StreamSettings;
  /** Streams of the POSTs that this process handles. */
  readonly #own = new Map<number, EventStream>();
  /** Streams of POSTs that this process reads, by the ids of their process and number. */
  readonly #followed = new Map<string, LogReader>();
  /** The ids of the requests that are answered on the streams of POSTs. */
  readonly #requests = new WeakMap<EventStream | LogReader, readonly unknown[]>();
  /** Streams of calls that other processes continue. */
  readonly #left = new Set<number>();
  /** The stream of the GET: the messages that belong to no request. Undefined without a GET at this process. */
  #outStream: LogReader | undefined;
  /** The position of the out stream that is stored. */
  #saved = 0;
  #last: number;
  /** Called when no stream of this process is open any more. */
  #onStored: (() => void) | undefined;

  constructor(owner: SharedOwner, processes: StreamProcesses) {
    this.#owner = owner;
    this.#processes = processes;
    // Not 0: this process may have left the session before, and its earlier streams may still be kept.
    this.#last = Math.floor(processes.clock.now());
    const { resumable, primed } = owner;
    this.#settings = {
      store: processes.logs,
      idPrefix: `${processes.id}.`,
      resumable,
      primed,
      retry: processes.retry,
      onError: processes.onError,
      storeAgain: (key, event, isPatient) => {
        const patience = { clock: processes.clock, report: this.#report, ...(!isPatient && { within: 0 }) };
        return untilReached(patience, () => processes.logs.appendAgain(key, event));
      },
      onEnded: ({ key }) => this.#forget(key.stream),
    };
  }

  get attached(): boolean {
    if (this.#outStream !== undefined || this.#followed.size > 0) return true;
    for (const stream of this.#own.values()) if (stream.attached) return true;
    return false;
  }

  get listening(): boolean {
    return this.#outStream !== undefined;
  }

  open(call: HttpCall, message: unknown): AnswerStream {
    const key = { session: this.#owner.id, stream: ++this.#last };
    const firstEntry = this.#processes.firstEntryOf(message);
    // Nothing is kept of a session that has ended.
    const opened = this.#owner.over ? Promise.resolve() : this.#processes.logs.open(key, firstEntry);
    const stored = opened.catch((error: unknown) => {
      // Without its first entry, the stream cannot be resumed.
      stream.storeNothing();
      this.#report(error);
    });
    const stream = new EventStream(key, this.#settings, stored);
    this.#own.set(key.stream, stream);
    this.#requests.set(stream, firstEntry.ids);
    stream.attach(call);
    if (this.#owner.over) this.#end(stream);
    const shared = { ...key, process: this.#processes.id };
    const keep = (suspended: SuspendedCall | undefined) =>
      this.#processes.keepCall(shared, message, suspended);
    return new PostStream(stream, keep, () => this.#leave(key.stream));
  }

  async send(frame: string): Promise<void> {
    try {
      await this.#processes.logs.appendTo(this.#outStreamName, frame, false);
    } catch (error) {
      this.#report(error);
      return;
    }
    if (this.#outStream === undefined) this.#processes.wakeOutStream(this.#owner.id);
    else this.#outStream.wake();
  }

  resume(call: HttpCall, { lastEventId, until }: Resumption): void {
    const failed = (error: unknown) => this.#failed(call, error);
    if (lastEventId === undefined || !this.#owner.resumable) {
      detach(this.#listen(call, undefined, until), failed);
      return;
    }
    const place = readSharedEventId(lastEventId);
    if (place === undefined) refuse(call, unknownEvent);
    else if (place.process === undefined) detach(this.#listen(call, place.sequence, until), failed);
    else detach(this.#continue(call, place as PostPlace, until), failed);
  }

  keepAlive(now: number, isDue: boolean): void {
    for (const stream of this.#own.values()) stream.keepAlive(now, isDue);
    for (const reader of this.#followed.values()) reader.keepAlive(now, isDue);
    if (this.#outStream === undefined) return;
    this.#outStream.keepAlive(now, isDue);
    if (isDue && this.#outStream !== undefined) this.#savePosition(this.#outStream);
  }

  stored(): Promise<void> | undefined {
    if (this.#own.size === 0) return undefined;
    return new Promise((resolve) => {
      this.#onStored = resolve;
    });
  }

  close(): void {
    for (const stream of [...this.#own.values(), ...this.#followed.values()]) this.#end(stream);
    this.#own.clear();
    this.closeOutStream();
  }

  /** Closes the connection for messages that belong to no request: another process has it. */
  closeOutStream(): void {
    this.#outStream?.close();
  }

  /** Reads what another process has sent that belongs to no request. */
  wakeOutStream(): void {
    this.#outStream?.wake();
  }

  /** Reads what a process has sent on a stream of a POST. */
  wake({ process, stream }: SharedStreamKey): void {
    this.#followed.get(`${process}.${stream}`)?.wake();
  }

  /** Reads all streams again: messages that wake them may have been lost. */
  wakeAll(): void {
    this.#outStream?.wake();
    for (const reader of this.#followed.values()) reader.wake();
  }

  /** Leaves a stream of this process to another one. Returns false if it has ended, undefined if its call continues elsewhere. */
  handOver(stream: number, process: string): boolean | undefined {
    if (this.#left.has(stream)) return undefined;
    const live = this.#own.get(stream);
    const key = { session: this.#owner.id, process: this.#processes.id, stream };
    live?.handOver(() => this.#processes.wakeReader(process, key));
    return live !== undefined;
  }

  #leave(stream: number): void {
    this.#left.add(stream);
    this.#forget(stream);
  }

  #forget(stream: number): void {
    this.#own.delete(stream);
    if (this.#own.size === 0) this.#onStored?.();
  }

  /** Ends a stream with the session: its client receives an error for each request, unless other processes go on with the session. */
  #end(stream: EventStream | LogReader): void {
    stream.close(this.#owner.draining ? undefined : this.#lostText(stream));
  }

  /** Returns an error for each request of a stream. */
  #lostText(stream: EventStream | LogReader): string | undefined {
    const ids = (this.#requests.get(stream) ?? []).filter(isRequestId);
    return ids.map((id) => eventText(errorFrame(id, lostSession), undefined)).join('') || undefined;
  }

  get #outStreamName(): string {
    return `session/${this.#owner.id}/out`;
  }

  /** Serves the GET for messages that belong to no request. */
  async #listen(call: HttpCall, position: number | undefined, until: number | undefined): Promise<void> {
    const { id } = this.#owner;
    // Begins before any wait: the client must see that the stream is open.
    call.open(streamHeaders);
    const stored = await this.#processes.claimOutStream(id);
    if (call.closed) return;
    if (stored === undefined || this.#owner.over) return call.end();
    // The position of an open connection may not be stored yet.
    const after = position ?? Math.max(stored, this.#outStream?.written ?? 0);
    const { resumable, primed } = this.#owner;
    if (resumable && primed)
      detach(call.write(primingText(`out.${after}`, this.#processes.retry)), (error) => this.#report(error));
    this.#outStream?.close();
    const reader = this.#reader(call, this.#outStreamName, {
      after,
      idPrefix: resumable ? 'out.' : undefined,
      skips: true,
      until,
      onEnded: (ended) => this.#outStreamClosed(ended),
    });
    this.#outStream = reader;
    this.#saved = stored;
    reader.wake();
    try {
      await this.#processes.announceOutStream(id);
    } catch (error) {
      reader.close();
      throw error;
    }
  }

  #outStreamClosed(reader: LogReader): void {
    if (this.#outStream !== reader) return;
    this.#savePosition(reader);
    this.#outStream = undefined;
  }

  /** Stores the position of the GET: another process sends what follows to a GET without `Last-Event-ID`. */
  #savePosition({ written }: LogReader): void {
    if (written <= this.#saved) return;
    this.#saved = written;
    detach(this.#processes.savePosition(this.#owner.id, written), (error) => this.#report(error));
  }

  /** Serves the rest of the stream of a POST. */
  async #continue(call: HttpCall, place: PostPlace, until: number | undefined): Promise<void> {
    const key = { session: this.#owner.id, process: place.process, stream: place.stream };
    const isOwn = place.process === this.#processes.id;
    const live = isOwn ? this.#own.get(place.stream) : undefined;
    const isLive = await this.#isLive(key);
    const name = this.#processes.logs.keyOf({ session: key.session, stream: key.stream }, key.process);
    const { logs } = this.#processes;
    const [{ trimmed, last }, firstEntry] = await Promise.all([
      logs.read(name, place.sequence, 1),
      live === undefined && isLive !== false ? logs.readFirstEntry(name) : undefined,
    ]);
    // A process that is gone may have sent events that the state had not stored.
    const isAhead = isLive === undefined && place.sequence > last;
    const after = isAhead ? await logs.rest(name, last) : place.sequence;
    if (call.closed) return;
    const lastEventId = `${key.process}.${key.stream}.${place.sequence}`;
    if (this.#owner.over) refuseLeft(call, this.#owner, { lastEventId, retry: this.#processes.retry });
    else if (last === 0 || (trimmed && !isAhead)) refuse(call, unknownEvent);
    else if (live !== undefined) live.attach(call, place.sequence, until);
    else {
      call.open(streamHeaders);
      const reader = this.#read(call, { key, name, after, until });
      this.#requests.set(reader, firstEntry?.ids ?? []);
      await this.#follow(key, reader, isLive);
    }
  }

  /** Returns false if a stream has ended; undefined if its process has left its call to others, or is gone. */
  #isLive(key: SharedStreamKey): Promise<boolean | undefined> | boolean | undefined {
    if (key.process !== this.#processes.id) return this.#processes.follow(key);
    return this.#left.has(key.stream) ? undefined : this.#own.has(key.stream);
  }

  #read(call: HttpCall, { key, name, after, until }: Followed): LogReader {
    const id = `${key.process}.${key.stream}`;
    this.#followed.get(id)?.close();
    const reader: LogReader = this.#reader(call, name, {
      after,
      idPrefix: `${id}.`,
      skips: false,
      until,
      lostText: () => this.#lostText(reader),
      onEnded: (one) => {
        if (this.#followed.get(id) === one) this.#followed.delete(id);
      },
    });
    this.#followed.set(id, reader);
    reader.wake();
    return reader;
  }

  /** Ends the stream that a reader follows, or looks again later. An error of the state decides nothing. */
  async #follow(key: SharedStreamKey, reader: LogReader, isLive: boolean | undefined): Promise<void> {
    try {
      if (isLive === undefined) await this.#processes.succeed(key);
    } catch (error) {
      this.#report(error);
    }
    if (isLive === false) reader.complete();
    else this.#watch(key, reader);
    reader.wake();
  }

  /** Looks after some time whether the process of a followed stream is still there. */
  #watch(key: SharedStreamKey, reader: LogReader): void {
    const look = async () => {
      if (reader.over) return;
      const isLive = await this.#isLive(key);
      if (!reader.over) await this.#follow(key, reader, isLive);
    };
    const failed = (error: unknown) => {
      this.#report(error);
      this.#watch(key, reader);
    };
    const stop = this.#processes.clock.schedule(() => detach(look(), failed), lookEvery);
    reader.onOver(stop);
  }

  #reader(
    call: HttpCall,
    name: string,
    more: Pick<
      ConstructorParameters<typeof LogReader>[0],
      'after' | 'idPrefix' | 'skips' | 'until' | 'onEnded' | 'lostText'
    >,
  ): LogReader {
    const { logs, onError } = this.#processes;
    return new LogReader({ call, logs, name, onError, onSkipped: () => this.#owner.missed(), ...more });
  }

  readonly #report = (error: unknown): void => this.#processes.onError(error, 'state');

  #failed(call: HttpCall, error: unknown): void {
    this.#report(error);
    if (call.streaming) call.end();
    else refuse(call, error instanceof StateError ? noState : internalError);
  }
}

const lostSession = {
  code: ErrorCode.internalError,
  message:
    'The session has ended; send initialize to open another. Whether the request had an effect is not known.',
};

interface Followed {
  readonly key: SharedStreamKey;
  readonly name: string;
  readonly after: number;
  readonly until: number | undefined;
}
