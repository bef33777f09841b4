import {
  type CarrierFacts,
  type Connection,
  type Envelope,
  ErrorCode,
  type Principal,
  type Receiver,
  type RequestStamp,
  type Revision,
  type StoredEvent,
} from '@tenon/mcp-protocol';
import type { Application, SessionEnd, SettledSession } from '../endpoint/application.js';
import type { HttpCall } from '../endpoint/http-call.js';
import { internalError, refuse } from '../endpoint/refusal.js';
import type { ExchangePolicy, HttpExchange } from '../exchange/http-exchange.js';
import { httpStatusOf } from '../exchange/http-status.js';
import {
  EventStream,
  type Place,
  readEventId,
  replayPiece,
  type StreamSettings,
} from '../streams/event-stream.js';
import { streamHeaders } from '../streams/event-text.js';
import type { Heartbeat } from '../streams/heartbeat.js';
import type { SessionHolder } from './session-quota.js';

/**
 * One session: a connection made of many HTTP exchanges, each a request, a stream or a part of one. There may be very
 * many idle ones, so what all have in common stands on the class or at the host.
 */
export class HttpSession implements Connection, CarrierFacts, ExchangePolicy {
  readonly id: string;
  /** Whom it belongs to: nobody else finds it. */
  readonly owner: string | undefined;
  /** Who uses it, with what his last request has shown: scopes may be others than those of an earlier one. */
  principal: Principal | undefined;
  readonly anonymous: boolean;
  /** Whose sessions it is counted among. */
  readonly holder: SessionHolder<HttpSession> | undefined;
  readonly openedAt: number;
  usedAt: number;
  /** True once something came after the handshake. */
  visited: boolean;
  /** When the session store last heard of it. */
  touchedAt: number;
  readonly #host: SessionHost;
  #end: SessionEnd | undefined;
  #receiver: Receiver | undefined;
  #revision: Revision | undefined;
  #peer: RequestStamp | undefined;
  #streams: Map<number, EventStream> | undefined;
  #settings: StreamSettings | undefined;
  /** Number of the stream that a GET opens, for what belongs to no request: even, where those of POSTs are odd. */
  readonly #standalone: number;
  #lastStream: number;
  #over = false;

  /** @param earlier - where the session was opened by another process. */
  constructor(id: string, { sender, holder, host, earlier }: SessionOrigin) {
    this.id = id;
    this.owner = ownerOf(sender.principal);
    this.principal = sender.principal;
    this.anonymous = sender.anonymous === true;
    this.holder = holder;
    this.#host = host;
    this.usedAt = host.now();
    this.touchedAt = this.usedAt;
    this.visited = earlier !== undefined;
    this.openedAt = this.usedAt - (earlier?.age ?? 0);
    this.#standalone = earlier?.firstStream ?? 0;
    this.#lastStream = this.#standalone - 1;
  }

  get intermittent(): true {
    return true;
  }

  get facts(): CarrierFacts {
    return this;
  }

  get answersOnly(): boolean {
    return this.#host.jsonOnly;
  }

  /** The client resumes a stream whose connection broke. */
  get cancelsOnClose(): false {
    return false;
  }

  get keepsStreams(): true {
    return true;
  }

  /** What the handshake chose; undefined before, and when it failed. */
  get revision(): Revision | undefined {
    return this.#revision;
  }

  /** What the client said of itself in the handshake. */
  get peer(): RequestStamp | undefined {
    return this.#peer;
  }

  /** The end that messages are delivered to. */
  get receiver(): Receiver {
    if (this.#receiver === undefined) throw notStarted();
    return this.#receiver;
  }

  /** True while a request of it is being handled, or some connection carries a stream of it. */
  get busy(): boolean {
    if (this.#end !== undefined && this.#end.inFlight > 0) return true;
    for (const stream of this.#streams?.values() ?? []) if (stream.attached) return true;
    return false;
  }

  /**
   * Has an application serve it.
   * @param settled - what its handshake chose, where that was at another process.
   * @throws TypeError when that does not start it at once.
   */
  serveBy(application: Application, settled?: SettledSession): void {
    this.#end = application.accept(this, settled);
    if (this.#receiver === undefined) throw notStarted();
  }

  /** Lets requests in flight finish within the server's limit, then ends. */
  async drain(): Promise<void> {
    await this.#end?.close();
  }

  start(receiver: Receiver): void {
    this.#receiver = receiver;
  }

  settled(revision: Revision, peer: RequestStamp): void {
    this.#revision = revision;
    this.#peer = peer;
  }

  /** Sends what belongs to no request of the client: on the stream of its GET, now or when there is one. */
  send(frame: string, _envelope?: Envelope): Promise<void> | undefined {
    if (this.#over || this.#host.jsonOnly) return undefined;
    return this.#stream(this.#standalone).send(frame);
  }

  onError(error: unknown, where: string): void {
    this.#host.onError(error, where);
  }

  /** All POSTs of a session are counted under the name of the caller that opened it. */
  callerOf(): string | undefined {
    return this.holder?.name;
  }

  // In a session, other errors are responses with status 200.
  statusOf(code: number): number {
    return code === ErrorCode.rateLimited ? httpStatusOf(code) : 200;
  }

  entered(exchange: HttpExchange): void {
    this.#host.heartbeat.add(exchange);
  }

  left(exchange: HttpExchange): void {
    this.#host.heartbeat.delete(exchange);
    this.usedAt = this.#host.now();
  }

  /** Begins a stream for one request of the client. */
  openStream(call: HttpCall): EventStream {
    this.#lastStream += 2;
    const stream = this.#stream(this.#lastStream);
    stream.attach(call);
    return stream;
  }

  /** Serves a GET: the stream of what belongs to no request, or one that broke off. */
  resume(call: HttpCall, { lastEventId, until }: Resumption): void {
    if (lastEventId === undefined || this.#revision?.rules.resumable !== true) {
      this.#stream(this.#standalone).attach(call, undefined, until);
      return;
    }
    const place = readEventId(lastEventId);
    if (place === undefined) {
      refuse(call, unknownEvent);
      return;
    }
    if (this.#isElsewhere(place.stream)) {
      this.#succeed(call, place, until).catch((error: unknown) => this.#failed(call, error));
      return;
    }
    const live =
      place.stream === this.#standalone ? this.#stream(this.#standalone) : this.#streams?.get(place.stream);
    if (live !== undefined && place.sequence > live.sequence) refuse(call, unknownEvent);
    else if (live?.sequence === place.sequence) live.attach(call, place.sequence, until);
    else this.#replay(call, place, { live, until }).catch((error: unknown) => this.#failed(call, error));
  }

  /** True for a stream of a GET that another process serves, or served. */
  #isElsewhere(stream: number): boolean {
    return stream % 2 === 0 && stream !== this.#standalone && (stream === 0 || stream >= farStreams);
  }

  keepAlive(now: number, isDue: boolean): void {
    for (const stream of this.#streams?.values() ?? []) stream.keepAlive(now, isDue);
  }

  close(): Promise<void> {
    if (this.#over) return Promise.resolve();
    this.#over = true;
    for (const stream of this.#streams?.values() ?? []) stream.close();
    this.#streams = undefined;
    return Promise.resolve(this.#host.ended(this));
  }

  /** Goes on with a stream that runs, or gives what is kept of one that has ended or that another process serves. */
  async #replay(
    call: HttpCall,
    place: Place,
    { live, until }: { live: EventStream | undefined; until: number | undefined },
  ): Promise<void> {
    const kept = await this.#keptAfter(place);
    if (this.#over) refuse(call, ended);
    else if (kept === undefined) refuse(call, unknownEvent);
    else if (live !== undefined) live.attach(call, place.sequence, until);
    else {
      call.open(streamHeaders);
      await this.#write(call, place, kept);
      call.end();
    }
  }

  /** Goes on from where another process left the stream of a GET: what is kept of that one, then the present one. */
  async #succeed(call: HttpCall, place: Place, until: number | undefined): Promise<void> {
    const kept = await this.#keptAfter(place);
    if (this.#over) {
      refuse(call, ended);
      return;
    }
    call.open(streamHeaders);
    if (kept !== undefined) await this.#write(call, place, kept);
    if (this.#over) call.end();
    else this.#stream(this.#standalone).attach(call, undefined, until);
  }

  /** The next events after one, not all at once; undefined when not all of them are kept. */
  async #keptAfter({ stream, sequence }: Place): Promise<readonly StoredEvent[] | undefined> {
    return this.#host.store.after({ session: this.id, stream }, sequence, replayPiece);
  }

  /** Writes what is kept of a stream, piece by piece, no faster than it is read. */
  async #write(call: HttpCall, { stream, sequence }: Place, first: readonly StoredEvent[]): Promise<void> {
    const replayed = new EventStream({ session: this.id, stream }, this.#streamSettings());
    let last = sequence;
    for (let kept: readonly StoredEvent[] | undefined = first; kept !== undefined && kept.length > 0; ) {
      for (const event of kept) {
        // What is missing in between must not pass for nothing.
        if (call.closed || this.#over || event.sequence !== last + 1) return;
        last = event.sequence;
        await call.write(replayed.textOf(event));
      }
      kept = await this.#keptAfter({ stream, sequence: last });
    }
  }

  #failed(call: HttpCall, error: unknown): void {
    this.#host.onError(error, 'event store');
    if (call.streaming) call.end();
    else refuse(call, internalError);
  }

  #stream(number: number): EventStream {
    this.#streams ??= new Map();
    let stream = this.#streams.get(number);
    if (stream === undefined) {
      stream = new EventStream({ session: this.id, stream: number }, this.#streamSettings());
      this.#streams.set(number, stream);
    }
    return stream;
  }

  #streamSettings(): StreamSettings {
    const { rules } = this.#revision ?? {};
    const { store, retry, onError } = this.#host;
    this.#settings ??= {
      store,
      retry,
      onError,
      resumable: rules?.resumable === true,
      primed: rules?.primedStreams === true,
      onEnded: ({ key }) => this.#streams?.delete(key.stream),
    };
    return this.#settings;
  }
}

/** Processes that take a session up number its streams from somewhere above this; the one that opened it stays below. */
export const farStreams: number = 2 ** 40;

/** How a GET wants a stream. */
export interface Resumption {
  readonly lastEventId: string | undefined;
  /** What the clock shows when its connection must end. */
  readonly until: number | undefined;
}

/** Where a session comes from. */
export interface SessionOrigin {
  readonly sender: Pick<CarrierFacts, 'principal' | 'anonymous'>;
  readonly holder: SessionHolder<HttpSession> | undefined;
  readonly host: SessionHost;
  readonly earlier?: {
    /** Milliseconds since it was opened. */
    readonly age: number;
    /** An even number from {@link farStreams} on, above which no other process numbers streams of it. */
    readonly firstStream: number;
  };
}

/** What all sessions of one endpoint share. */
export interface SessionHost extends Pick<StreamSettings, 'store' | 'retry' | 'onError'> {
  /** Nothing leaves on streams. */
  readonly jsonOnly: boolean;
  /** Looks at the sessions, and at the exchanges that wait for an answer. */
  readonly heartbeat: Heartbeat;
  /** Milliseconds, monotonic and whole. */
  now(): number;
  /** The session is over. */
  ended(session: HttpSession): void | Promise<void>;
}

const ended = { status: 404, reason: 'The session has ended; send initialize to open another.' };

const unknownEvent = {
  status: 400,
  reason:
    'Nothing is kept of what followed this Last-Event-ID; send the request again, or open a stream without it.',
};

function notStarted(): TypeError {
  return new TypeError('An application must start the connection it accepts at once.');
}

/** A name for a principal under which nobody else is known. */
export function ownerOf(principal: Principal | undefined): string | undefined {
  return principal === undefined ? undefined : JSON.stringify([principal.issuer ?? '', principal.id]);
}
