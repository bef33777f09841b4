import { type Clock, TransportError } from '@tenon/mcp-protocol';
import { carrierFailure } from './carrier-failure.js';
import { EventReader } from './event-reader.js';
import type { HttpLimits } from './http-limits.js';
import { type AnswerHeaders, mediaTypeOf } from './http-sender.js';
import type { Pausable } from './inbox.js';
import { ReconnectWait, type StreamEnd } from './reconnect-wait.js';
import { type Outbound, type Outlet, Reply } from './reply.js';
import type { RequestHeaders } from './request-headers.js';

/** What every event stream of a connection needs. */
export interface StreamHost extends Outlet {
  readonly headers: RequestHeaders;
  readonly limits: HttpLimits;
  readonly clock: Clock;
  readonly random: () => number;
  /** Takes one message from a stream. */
  deliverText(text: string, source: Pausable): void;
  /** The server does not know the session any more. */
  sessionLost(): void;
}

/** Whose messages an event stream brings. */
export interface StreamOwner {
  /** Somebody waits for it: the process is kept alive while it is away. */
  readonly holds: boolean;
  /** It is to be asked for again once it is over. */
  wanted(): boolean;
  /** It is there again, but nobody knows what it would have brought meanwhile. */
  missed?(): void;
  /** It is over, and not wanted any more. */
  ended(): void;
  /** The server does not offer it. */
  refused(status: number): void;
  /** It cannot be had any more. */
  lost(error: TransportError): void;
}

// What goes back to the server in a header. Another id cannot be resumed from.
const usableId = /^[\x20-\x7e]{1,1024}$/;

/**
 * One stream of events, over the several connections it may take.
 * https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#resumability-and-redelivery
 */
export class EventStream {
  readonly #host: StreamHost;
  readonly #owner: StreamOwner;
  readonly #wait: ReconnectWait;
  #reader: EventReader | undefined;
  #source: Pausable | undefined;
  #get: StreamReply | undefined;
  #cancelWait: (() => void) | undefined;
  #openedAt: number;
  #stopped = false;
  #lastEventId: string | undefined;
  /** It has been open at least once. */
  hasOpened = false;

  constructor(host: StreamHost, owner: StreamOwner) {
    this.#host = host;
    this.#owner = owner;
    this.#wait = new ReconnectWait(host.limits, host.random);
    this.#openedAt = host.clock.now();
  }

  /** True once an event told where to resume. */
  get resumable(): boolean {
    return this.#lastEventId !== undefined;
  }

  /** True while a request of its own brings it. */
  get isResumed(): boolean {
    return this.#get !== undefined;
  }

  /** Asks for the stream, from after the last event that was seen. */
  open(): void {
    if (this.#stopped) return;
    this.#reader = undefined;
    this.#openedAt = this.#host.clock.now();
    this.#get = new StreamReply(this.#host, this, this.#lastEventId);
    this.#get.send();
  }

  /** A connection of its own has begun. */
  opened(): void {
    // What was told between the two, nobody can say.
    if (this.hasOpened && this.#lastEventId === undefined) this.#owner.missed?.();
    this.hasOpened = true;
  }

  /** Takes bytes of the connection at present. */
  chunk(bytes: Uint8Array, source: Pausable): void {
    if (this.#stopped) return;
    this.#source = source;
    this.#reader ??= this.#newReader();
    const flaw = this.#reader.push(bytes);
    if (flaw === undefined || this.#stopped) return;
    this.stop();
    this.#owner.lost(new TransportError(`${flaw} It was closed.`));
  }

  /** The connection is over: asks for the stream again after a while, if it is still wanted. */
  over(end: StreamEnd, cause?: unknown): void {
    if (this.#stopped) return;
    if (!this.#owner.wanted()) {
      this.stop();
      this.#owner.ended();
      return;
    }
    if (cause instanceof TransportError && cause.permanent) {
      this.stop();
      this.#owner.lost(cause);
      return;
    }
    const { clock, limits, route } = this.#host;
    const ms = this.#wait.next(end, clock.now() - this.#openedAt);
    if (ms !== undefined) {
      this.#cancelWait = clock.schedule(() => this.open(), ms, this.#owner.holds);
      return;
    }
    this.stop();
    const status = cause instanceof TransportError ? cause.status : undefined;
    if (status !== undefined && !mayPass(status)) {
      this.#owner.refused(status);
      return;
    }
    const count = end === 'ended' ? limits.maxEmptyStreams : limits.maxReconnects;
    const message = `The event stream of ${route.origin} was lost, and ${count} attempts did not bring it back.`;
    const reason = cause === undefined ? '' : ` ${carrierFailure(cause, route.origin).message}`;
    this.#owner.lost(
      new TransportError(message + reason, { ...(status !== undefined && { status }), cause }),
    );
  }

  /** The server answered without events. */
  refuse(status: number): void {
    // To the first question, it says that there is no such stream.
    const isKnown = this.hasOpened || this.#lastEventId !== undefined;
    if (status === 404 && this.#host.headers.session !== undefined && isKnown) {
      this.#host.sessionLost();
      return;
    }
    // Too many requests, a server that is not ready, something in between that did not understand: this may pass.
    if (mayPass(status) || (status === 400 && this.#lastEventId === undefined)) {
      this.over('refused', new TransportError(`It answered ${status}.`, { status }));
      return;
    }
    this.stop();
    this.#owner.refused(status);
  }

  /** Ends it; its owner hears nothing more. */
  stop(): void {
    this.#stopped = true;
    this.#cancelWait?.();
    this.#get?.abort();
  }

  #newReader(): EventReader {
    return new EventReader(this.#host.limits, {
      event: ({ id, event, data }) => {
        if (this.#stopped) return;
        if (id !== undefined) this.#lastEventId = usableId.test(id) ? id : undefined;
        if (data === '' || (event !== undefined && event !== 'message')) return;
        this.#wait.delivered();
        this.#host.deliverText(data, this.#source as Pausable);
      },
      retry: (ms) => this.#wait.retry(ms),
    });
  }
}

function mayPass(status: number): boolean {
  return status >= 500 || status === 429 || status === 408;
}

/** One connection of an event stream that was asked for by GET. */
class StreamReply extends Reply {
  protected readonly outbound: Outbound;
  readonly #stream: EventStream;
  #opened = false;

  constructor(host: StreamHost, stream: EventStream, lastEventId: string | undefined) {
    super({ sender: host.sender, route: host.route.fork(), auth: host.auth });
    this.#stream = stream;
    this.outbound = { method: 'GET', headers: () => host.headers.other('GET', lastEventId) };
  }

  protected onHead(status: number, headers: AnswerHeaders): void {
    if (status === 200 && mediaTypeOf(headers) === 'text/event-stream') {
      this.#opened = true;
      this.#stream.opened();
      return;
    }
    this.abort();
    this.#stream.refuse(status);
  }

  protected onChunk(bytes: Uint8Array): void {
    if (this.#opened) this.#stream.chunk(bytes, this);
  }

  protected onEnd(): void {
    this.#stream.over('ended');
  }

  protected onFailed(error: unknown): void {
    this.#stream.over(this.#opened ? 'broken' : 'refused', error);
  }
}
