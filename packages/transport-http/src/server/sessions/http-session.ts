import {
  type Connection,
  type Envelope,
  ErrorCode,
  type Principal,
  type Receiver,
  type RequestStamp,
  type Revision,
  type SessionSettings,
  type SharedSessionPort,
  type TransportFacts,
} from '@tenon/mcp-protocol';
import type { Application, SessionEnd, SettledSession } from '../call/application.js';
import type { Heartbeat } from '../call/heartbeat.js';
import type { HttpCall } from '../call/http-call.js';
import type { AnswerStream, ExchangePolicy, HttpExchange } from '../exchange/http-exchange.js';
import { httpStatusOf } from '../exchange/http-status.js';
import type { Resumption, SessionStreams, StreamOwner } from '../streams/session-streams.js';
import type { SessionHolder } from './session-quota.js';
import type { CountedSettings, SharedPlace } from './session-record.js';

/**
 * One session: a connection made of many HTTP exchanges, each a request, a stream or a part of one. There may be very many
 * idle sessions, so shared members are on the class or the host.
 */
export class HttpSession implements Connection, TransportFacts, ExchangePolicy, StreamOwner {
  readonly id: string;
  /** The name of the principal that opened the session. Other principals cannot use the session. */
  readonly owner: string | undefined;
  /** The principal of the latest request: its scopes may differ from those of earlier requests. */
  principal: Principal | undefined;
  readonly anonymous: boolean;
  /** The quota that the session counts against. */
  readonly holder: SessionHolder<HttpSession> | undefined;
  readonly openedAt: number;
  usedAt: number;
  /** True after the first message that follows the handshake. */
  visited: boolean;
  /** Time of the latest report to the shared state that the session is in use. */
  touchedAt: number;
  /** Set if several processes serve the session. */
  place: SharedPlace | undefined;
  readonly #host: SessionHost;
  #end: SessionEnd | undefined;
  #receiver: Receiver | undefined;
  #revision: Revision | undefined;
  #peer: RequestStamp | undefined;
  #streams: SessionStreams | undefined;
  /** The exchanges with handlers that wait for input, if other processes can continue them. */
  #suspended: Set<SuspendedExchange> | undefined;
  #draining = false;
  #over = false;
  #closing: Promise<void> | undefined;

  constructor(id: string, { sender, holder, host, earlier }: SessionOrigin) {
    this.id = id;
    this.owner = ownerOf(sender.principal);
    this.principal = sender.principal;
    this.anonymous = sender.anonymous === true;
    this.holder = holder;
    this.#host = host;
    this.usedAt = host.now();
    // Another process may have touched the session long ago.
    this.touchedAt = earlier === undefined ? this.usedAt : Number.NEGATIVE_INFINITY;
    this.visited = earlier !== undefined;
    this.#draining = earlier?.isPassing === true;
    this.openedAt = this.usedAt - (earlier?.age ?? 0);
    this.place =
      host.idPrefix === undefined
        ? undefined
        : { hasOutStream: earlier === undefined, outStreamClaims: 0, count: 0 };
  }

  get session(): string {
    return this.id;
  }

  /** The session itself, if several processes may serve it. */
  get shared(): SharedSessionPort | undefined {
    return this.place && this;
  }

  get idPrefix(): string {
    return this.#host.idPrefix ?? '';
  }

  get isServedElsewhere(): boolean {
    return this.place?.hasOutStream === false;
  }

  get lacksStream(): boolean {
    return this.place !== undefined && this.#streams?.listening !== true;
  }

  saveSettings(change: (settings: SessionSettings) => SessionSettings): Promise<void> {
    return this.#host.saveSettings(this, change);
  }

  get intermittent(): true {
    return true;
  }

  get transport(): string {
    return 'http';
  }

  get facts(): TransportFacts {
    return this;
  }

  get answersOnly(): boolean {
    return this.#host.jsonOnly;
  }

  /** False: the client can resume a stream after its connection broke. */
  get cancelsOnClose(): false {
    return false;
  }

  get keepsStreams(): true {
    return true;
  }

  get keepsCalls(): boolean {
    return this.place !== undefined;
  }

  get resumable(): boolean {
    return this.#revision?.rules.resumable === true;
  }

  get primed(): boolean {
    return this.#revision?.rules.primedStreams === true;
  }

  /** True while this process leaves the session to others. */
  get draining(): boolean {
    return this.#draining;
  }

  /** True when the session has ended. */
  get over(): boolean {
    return this.#over;
  }

  /** The revision that the handshake chose; undefined before the handshake or after one that failed. */
  get revision(): Revision | undefined {
    return this.#revision;
  }

  /** The client info of the handshake. */
  get peer(): RequestStamp | undefined {
    return this.#peer;
  }

  /** The receiver of the session's messages. */
  get receiver(): Receiver {
    if (this.#receiver === undefined) throw notStarted();
    return this.#receiver;
  }

  /** True while a request of the session is being handled, or a connection has one of its streams. */
  get busy(): boolean {
    return (this.#end !== undefined && this.#end.inFlight > 0) || this.#streams?.attached === true;
  }

  /**
   * Starts the session in an application.
   * @param settled - the result of the handshake, if another process handled it.
   * @throws TypeError if the application does not start the session synchronously.
   */
  serveBy(application: Application, settled?: SettledSession): void {
    this.#end = application.accept(this, settled);
    if (this.#receiver === undefined) throw notStarted();
  }

  /** Adopts settings that the client has made in any process, unless later ones are known here. */
  adopt(settings: CountedSettings): void {
    if (this.place === undefined || settings.count <= this.place.count) return;
    this.place.count = settings.count;
    this.#end?.adopt?.(settings);
  }

  /** Notifies the client of all that it listens to: messages may have been lost. */
  missed(): void {
    this.#end?.missed?.();
  }

  /** Sends the changes that the client could not receive before it opened the stream for them. */
  streamOpened(): void {
    this.#end?.streamOpened?.();
  }

  /** Waits until requests in flight have finished, within the server's limit, then ends the session. */
  async drain(): Promise<void> {
    this.#draining = true;
    for (const exchange of this.#suspended ?? []) exchange.leave();
    this.#suspended = undefined;
    await this.#end?.close();
  }

  suspended(exchange: SuspendedExchange, waits: boolean): void {
    if (!waits) this.#suspended?.delete(exchange);
    // After the input request has been sent.
    else if (this.#draining) queueMicrotask(() => exchange.leave());
    else {
      this.#suspended ??= new Set();
      this.#suspended.add(exchange);
    }
  }

  start(receiver: Receiver): void {
    this.#receiver = receiver;
  }

  settled(revision: Revision, peer: RequestStamp): void {
    this.#revision = revision;
    this.#peer = peer;
  }

  /** Sends a message that belongs to no request of the client: on the stream of its GET, now or when there is one. */
  send(frame: string, _envelope?: Envelope): Promise<void> | undefined {
    if (this.#over || this.#host.jsonOnly) return undefined;
    return this.#ownStreams.send(frame);
  }

  onError(error: unknown, where: string): void {
    this.#host.onError(error, where);
  }

  /** Returns the name of the caller that opened the session. All its POSTs are counted under that name. */
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
    this.#suspended?.delete(exchange);
    this.#host.heartbeat.delete(exchange);
    this.usedAt = this.#host.now();
  }

  /** Starts a stream for one request of the client. */
  openStream(call: HttpCall, message: unknown): AnswerStream {
    return this.#ownStreams.open(call, message);
  }

  /** Serves a GET: opens the stream for messages that belong to no request, or resumes a stream after its connection broke. */
  resume(call: HttpCall, resumption: Resumption): void {
    this.#ownStreams.resume(call, resumption);
  }

  keepAlive(now: number, isDue: boolean): void {
    this.#streams?.keepAlive(now, isDue);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    // The calls have ended, and their clients may receive the answers at other processes.
    const stored = this.#draining ? this.#streams?.stored() : undefined;
    if (stored !== undefined) await this.#host.inTime(stored);
    this.#over = true;
    this.#streams?.close();
    this.#streams = undefined;
    await this.#host.ended(this);
  }

  /** Made on first use: many sessions are idle. */
  get #ownStreams(): SessionStreams {
    this.#streams ??= this.#host.streamsOf(this);
    return this.#streams;
  }
}

/** An exchange with a handler that waits for input. */
interface SuspendedExchange {
  /** Leaves the call to another process. */
  leave(): void;
}

/** The origin of a session. */
export interface SessionOrigin {
  readonly sender: Pick<TransportFacts, 'principal' | 'anonymous'>;
  readonly holder: SessionHolder<HttpSession> | undefined;
  readonly host: SessionHost;
  /** Set if another process opened the session. */
  readonly earlier?: {
    /** Milliseconds since it was opened. */
    readonly age: number;
    /** True if this process only passes a message on, since it drains or is full. */
    readonly isPassing: boolean;
  };
}

/** Settings and functions that all sessions of one endpoint share. */
export interface SessionHost {
  readonly onError: (error: unknown, where: string) => void;
  /** True if nothing is sent on streams. */
  readonly jsonOnly: boolean;
  /** Checks the sessions, and the exchanges that wait for an answer, at intervals. */
  readonly heartbeat: Heartbeat;
  /** Returns whole milliseconds on a monotonic clock. */
  now(): number;
  /** The beginning of the ids of input requests; undefined if one process serves the sessions. */
  readonly idPrefix: string | undefined;
  /** Stores settings for the other processes. */
  saveSettings(session: HttpSession, change: (settings: SessionSettings) => SessionSettings): Promise<void>;
  /** Returns the streams of a session. */
  streamsOf(session: HttpSession): SessionStreams;
  /** Resolves with the work, or when the time to drain is over. */
  inTime(work: Promise<unknown>): Promise<unknown>;
  /** Called when a session has ended. */
  ended(session: HttpSession): void | Promise<void>;
}

function notStarted(): TypeError {
  return new TypeError('An application must call connection.start before accept returns.');
}

/** Returns a name for a principal that no other principal has. */
export function ownerOf(principal: Principal | undefined): string | undefined {
  return principal === undefined ? undefined : JSON.stringify([principal.issuer ?? '', principal.id]);
}
