import type { Clock } from '@tenon/foundation';
import { TransportError } from '@tenon/mcp-protocol';
import type { HttpClientBounds } from '../request/http-limits.js';
import { type BodySink, HttpRequest, type RequestPorts, type ResponseSink } from '../request/http-request.js';
import type { Inbox } from '../request/inbox.js';
import type { RequestHeaders } from '../request/request-headers.js';
import { type AnswerHeaders, mediaTypeOf } from '../sender/http-sender.js';
import { isRefused, transportFailure } from '../sender/transport-failure.js';
import { EventReader } from './event-reader.js';
import { ReconnectWait, type StreamEnd } from './reconnect-wait.js';

/** The parts of the connection that its event streams use. */
export interface StreamPorts extends RequestPorts {
  readonly headers: RequestHeaders;
  readonly limits: HttpClientBounds;
  readonly clock: Clock;
  /** Returns a number from 0 up to 1, for jitter. */
  readonly random: () => number;
  readonly inbox: Inbox;
}

/** The owner of an event stream: a POST or a session. */
export interface StreamOwner {
  /** True if the wait before a reconnection keeps the process alive. */
  readonly holds: boolean;
  /** Attempts in a row that may find nothing listening at the server's port. Default: the limit of all failed attempts. */
  readonly maxRefused?: number | undefined;
  /** Returns true while the stream must be requested again after its end. */
  wanted(): boolean;
  /** Called when the stream has resumed, but messages between the two connections may be lost. */
  missed?(): void;
  /** Called when the stream has ended and is not wanted any more. */
  ended(): void;
  /** Called when the server has refused the stream for good. */
  refused(status: number): void;
  /** Called when the stream has failed for good. */
  lost(error: TransportError): void;
  /** Called when the server does not know the session any more. */
  sessionLost(): void;
}

/** The state of an event stream. */
type StreamState =
  /** A response delivers events: at first the response to a POST, then those to its own GETs. */
  | 'open'
  /** Waits before the next GET. */
  | 'waiting'
  /** A GET was sent; the head of the response has not arrived. */
  | 'requesting'
  /** Ended for good. */
  | 'stopped';

// Sent back to the server in a header. A stream cannot be resumed from another id.
const usableId = /^[\x20-\x7e]{1,1024}$/;

/**
 * One stream of events, over one or more HTTP responses. It requests itself again when a response ends.
 * https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#resumability-and-redelivery
 */
export class ResumableStream implements ResponseSink, BodySink {
  readonly #ports: StreamPorts;
  readonly #owner: StreamOwner;
  readonly #wait: ReconnectWait;
  #refusedInARow = 0;
  #state: StreamState = 'open';
  /** The request with the current response. */
  #request: HttpRequest | undefined;
  #reader: EventReader | undefined;
  #openedAt: number;
  #lastEventId: string | undefined;
  #cancelWait: (() => void) | undefined;
  /** True after a GET has opened the stream. */
  hasOpened = false;

  /** @param request - the POST that opened the stream; without it, the stream starts with `open`. */
  constructor(ports: StreamPorts, owner: StreamOwner, request?: HttpRequest) {
    this.#ports = ports;
    this.#owner = owner;
    this.#request = request;
    this.#wait = new ReconnectWait(ports.limits, ports.random);
    this.#openedAt = ports.clock.now();
  }

  /** True if an event has set the position to resume from. */
  get resumable(): boolean {
    return this.#lastEventId !== undefined;
  }

  /** Requests the stream by GET, starting after the last event that was read. */
  open(): void {
    if (this.#state === 'stopped') return;
    const { auth, clock, headers, reachability, route, sender } = this.#ports;
    const lastEventId = this.#lastEventId;
    this.#state = 'requesting';
    this.#reader = undefined;
    this.#openedAt = clock.now();
    const request = new HttpRequest(
      // A redirect of the stream does not change the route of the POSTs.
      { sender, route: route.fork(), auth, reachability },
      { method: 'GET', headers: () => headers.other('GET', lastEventId) },
      this,
    );
    this.#request = request;
    request.send();
  }

  head(status: number, headers: AnswerHeaders): BodySink | undefined {
    if (status !== 200 || mediaTypeOf(headers) !== 'text/event-stream') {
      this.#request?.abort();
      this.#refused(status);
      return undefined;
    }
    this.#state = 'open';
    this.#refusedInARow = 0;
    if (this.hasOpened && this.#lastEventId === undefined) this.#owner.missed?.();
    this.hasOpened = true;
    return this;
  }

  chunk(bytes: Uint8Array): void {
    if (this.#state !== 'open') return;
    this.#reader ??= this.#newReader();
    const problem = this.#reader.push(bytes);
    // The owner may have stopped the stream because of an event.
    if (problem === undefined || this.#isStopped()) return;
    this.stop();
    this.#owner.lost(new TransportError(`${problem} It was closed.`));
  }

  end(): void {
    this.over('ended');
  }

  failed(error: unknown): void {
    this.over(this.#state === 'open' ? 'broken' : 'refused', error);
  }

  /**
   * Called when a response with the stream has ended: waits and requests the stream again, if it is wanted and the limits
   * allow.
   */
  over(end: StreamEnd, cause?: unknown): void {
    if (this.#state === 'stopped') return;
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
    const { clock } = this.#ports;
    this.#refusedInARow = isRefused(cause) ? this.#refusedInARow + 1 : 0;
    const ms = this.#isRefusedTooOften() ? undefined : this.#wait.next(end, clock.now() - this.#openedAt);
    if (ms === undefined) this.#giveUp(end, cause);
    else {
      this.#state = 'waiting';
      this.#cancelWait = clock.schedule(() => this.open(), ms, this.#owner.holds);
    }
  }

  /** Ends the stream. Its owner is not called any more. */
  stop(): void {
    this.#state = 'stopped';
    this.#cancelWait?.();
    this.#request?.abort();
  }

  /** The server answered a GET without events. */
  #refused(status: number): void {
    // In response to the first GET, 404 means that the server has no such stream.
    const wasKnown = this.hasOpened || this.#lastEventId !== undefined;
    if (status === 404 && this.#ports.headers.session !== undefined && wasKnown) {
      this.#owner.sessionLost();
      return;
    }
    // 400 may come from a proxy that did not understand the request.
    if (mayPass(status) || (status === 400 && this.#lastEventId === undefined)) {
      this.over('refused', new TransportError(`It answered ${status}.`, { status }));
      return;
    }
    this.stop();
    this.#owner.refused(status);
  }

  #giveUp(end: StreamEnd, cause: unknown): void {
    const { limits, route } = this.#ports;
    this.stop();
    const status = cause instanceof TransportError ? cause.status : undefined;
    if (status !== undefined && !mayPass(status)) {
      this.#owner.refused(status);
      return;
    }
    const failed = this.#isRefusedTooOften() ? this.#refusedInARow : limits.maxReconnects;
    const count = end === 'ended' ? limits.maxEmptyStreams : failed;
    const message = `The event stream of ${route.origin} was lost, and ${count} attempts did not bring it back.`;
    const reason = cause === undefined ? '' : ` ${transportFailure(cause, route.origin).message}`;
    this.#owner.lost(
      new TransportError(message + reason, { ...(status !== undefined && { status }), cause }),
    );
  }

  #isRefusedTooOften(): boolean {
    const { maxRefused = Number.POSITIVE_INFINITY } = this.#owner;
    return this.#refusedInARow >= maxRefused;
  }

  #isStopped(): boolean {
    return this.#state === 'stopped';
  }

  #newReader(): EventReader {
    const { inbox, limits } = this.#ports;
    return new EventReader(limits, {
      event: ({ id, event, data }) => {
        if (this.#isStopped()) return;
        if (id !== undefined) this.#lastEventId = usableId.test(id) ? id : undefined;
        if (data === '' || (event !== undefined && event !== 'message')) return;
        this.#wait.delivered();
        if (this.#request !== undefined) inbox.deliverText(data, this.#request);
      },
      retry: (ms) => this.#wait.retry(ms),
    });
  }
}

/** True for statuses of a server that is busy or not ready, or of a proxy in between. */
function mayPass(status: number): boolean {
  return status >= 500 || status === 429 || status === 408;
}
