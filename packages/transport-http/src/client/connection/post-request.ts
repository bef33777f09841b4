import { type Envelope, type RequestId, TransportError } from '@tenon/mcp-protocol';
import { HttpRequest, type Outbound, type ResponseSink } from '../request/http-request.js';
import type { InFlightFrame, InFlightRequests } from '../request/in-flight-requests.js';
import { RefusalBody } from '../request/refusal.js';
import type { HeaderList } from '../request/request-headers.js';
import { maxIdleBytes } from '../request/text-body.js';
import { type AnswerHeaders, mediaTypeOf } from '../sender/http-sender.js';
import { requestFailure } from '../sender/transport-failure.js';
import type { StreamPorts } from '../streams/resumable-stream.js';
import { type RequestEvent, type RequestState, transitions } from './request-state.js';
import { EventsBody, IdleBody, JsonBody, type ReadRequest, type ResponseBody } from './response-body.js';

/** The session that POSTs belong to. */
export interface PostSession {
  /** Returns true if a frame is sent in a session: HTTP 404 then means that the server does not know the session. */
  covers(envelope: Envelope): boolean;
  /** Reads the head of a successful response. Returns the problem if its headers cannot be used. */
  accepted(envelope: Envelope, headers: AnswerHeaders): TransportError | undefined;
  /**
   * Called when the server does not know the session and did not handle this POST. The session settles the POST with the
   * error.
   */
  orphaned(post: PostRequest, error: TransportError): void;
  /** Called when the server does not know the session. */
  lost(): void;
}

/** The parts of the connection that a POST uses. */
export interface PostPorts extends StreamPorts {
  readonly inFlight: InFlightRequests<PostRequest>;
  readonly session: PostSession;
  /**
   * False if answers arrive on a stream beside the POSTs. The responses to POSTs then say only whether the server accepted
   * them.
   */
  readonly answersInResponse: boolean;
}

/** One frame to send. */
export interface Sent {
  readonly frame: string;
  readonly envelope: Envelope;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** One frame being sent to the server, until its response has ended. Its transitions are in `request-state.ts`. */
export class PostRequest implements Outbound, ResponseSink, ReadRequest, InFlightFrame {
  readonly method = 'POST';
  readonly body: string;
  readonly ids: readonly RequestId[];
  readonly http: HttpRequest;
  unanswered: number;
  /** The status of the response; 0 before its head. */
  status = 0;
  slot: InFlightFrame['slot'];
  place: InFlightFrame['place'];
  readonly #ports: PostPorts;
  readonly #sent: Sent;
  #state: RequestState = 'queued';
  #inSession = false;
  #response: ResponseBody | undefined;
  /** Cancels the time limit of the present state. */
  #cancelLimit: (() => void) | undefined;

  constructor(ports: PostPorts, sent: Sent) {
    const { id, ids } = sent.envelope;
    this.#ports = ports;
    this.#sent = sent;
    this.body = sent.frame;
    this.ids = ids ?? (id === undefined ? none : [id]);
    this.unanswered = this.ids.length;
    // This object is also the content and the sink: two objects fewer for each call.
    this.http = new HttpRequest(ports, this, this);
  }

  /** True after the frame was sent. */
  get begun(): boolean {
    return this.#state !== 'queued';
  }

  /** True while the frame waits for the head of the response to its requests. */
  get awaitsHead(): boolean {
    return (this.#state === 'sending' || this.#state === 'authorizing') && this.unanswered > 0;
  }

  /** True while only the end of the response is missing. */
  get lingering(): boolean {
    return this.#state === 'lingering';
  }

  begin(): void {
    this.#inSession = this.#ports.session.covers(this.#sent.envelope);
    this.apply('begin');
    this.http.send();
  }

  headers(): HeaderList {
    return this.#ports.headers.post(this.#sent.envelope);
  }

  answered(): void {
    if (--this.unanswered > 0) return;
    // The end of a JSON body delivered the answer, and settles the POST next.
    if (this.http.over && this.#state === 'reading-json') return;
    // The response mostly ends in this turn, and more events may be in the same chunk.
    queueMicrotask(() => this.apply('complete'));
  }

  /**
   * Stops waiting for the answer to one of its requests.
   * @param readsOn - reads the event stream for `closeWaitMs` more, in which the server can cancel its own requests.
   */
  giveUp(readsOn: boolean): void {
    if (--this.unanswered > 0) return;
    this.apply(readsOn && this.#state === 'reading-events' ? 'complete' : 'settle');
  }

  /** Ends the POST, and settles its promise if that is still pending. */
  settle(error?: Error): void {
    this.apply('settle', error);
  }

  sessionLost(): void {
    this.#ports.session.lost();
  }

  authorizing(waiting: boolean): void {
    this.apply(waiting ? 'challenged' : 'retried');
  }

  head(status: number, headers: AnswerHeaders): ResponseBody | undefined {
    const { inFlight, session } = this.#ports;
    inFlight.headReceived(this);
    this.status = status;
    if (status < 200 || status >= 300) this.#refused(headers);
    else {
      const problem = session.accepted(this.#sent.envelope, headers);
      if (problem === undefined) this.#accepted(headers);
      else this.apply('settle', problem);
    }
    return this.#response;
  }

  failed(error: unknown): void {
    if (this.#state === 'lingering') this.apply('settle');
    else this.apply('settle', requestFailure(error, this.#ports.route.origin));
  }

  /**
   * Changes the state: ends the timers of the old state and starts those of the new one.
   * @returns false if the event changes nothing in this state.
   */
  apply(event: RequestEvent, error?: Error): boolean {
    const next = transitions[this.#state][event];
    if (next === undefined) return false;
    this.#state = next;
    // The time limit for accepting a message includes the body of an error response.
    if (this.#cancelLimit !== undefined && next !== 'reading-refusal') {
      this.#cancelLimit();
      this.#cancelLimit = undefined;
    }
    if (next === 'settled') this.#finish(error);
    else if (next === 'lingering') this.#limitLingering();
    else if (next === 'reading-refusal' || (next === 'sending' && this.ids.length === 0)) this.#limitTaking();
    return true;
  }

  #finish(error: Error | undefined): void {
    const { inFlight } = this.#ports;
    if (!this.http.over) this.http.abort();
    this.#response?.stop?.();
    if (this.status === 0) inFlight.headReceived(this);
    inFlight.finished(this);
    if (error === undefined) this.#sent.resolve();
    else this.#sent.reject(error);
  }

  /** The time limits of the session cover only the wait for an answer. */
  #limitTaking(): void {
    const { clock, limits, route } = this.#ports;
    const ms = limits.acceptWaitMs;
    const message = `${route.origin} did not take a message within ${ms} ms (limit acceptWaitMs).`;
    this.#cancelLimit ??= clock.schedule(() => this.apply('settle', new TransportError(message)), ms);
  }

  /** A server that does not end its response must not keep the connection. */
  #limitLingering(): void {
    const { clock, limits } = this.#ports;
    this.#cancelLimit = clock.schedule(() => this.apply('settle'), limits.closeWaitMs);
  }

  #accepted(headers: AnswerHeaders): void {
    const { answersInResponse, limits } = this.#ports;
    const type = mediaTypeOf(headers);
    if (!answersInResponse) this.#response = new IdleBody(this);
    else if (type === 'text/event-stream') {
      this.#response = new EventsBody(this.#ports, this);
      this.apply('head-events');
    } else if (type === 'application/json' && this.status !== 202) {
      this.#response = new JsonBody(this.#ports, this, limits.maxAnswerBytes);
      this.apply('head-json');
    } else if (this.unanswered > 0) {
      this.apply('settle', this.#unusable(type));
      return;
    } else this.#response = new JsonBody(this.#ports, this, maxIdleBytes);
    if (answersInResponse && this.unanswered > 0) return;
    this.#sent.resolve();
    this.apply('complete');
  }

  #refused(headers: AnswerHeaders): void {
    const { answersInResponse, limits, route, session } = this.#ports;
    const { status } = this;
    if (status === 404 && this.#inSession && this.apply('head-session-lost')) {
      const message = `${route.origin} does not know the session any more (HTTP 404).`;
      this.http.abort();
      session.orphaned(this, new TransportError(message, { status, unhandled: true }));
      return;
    }
    this.#response = new RefusalBody(status, headers, {
      origin: route.origin,
      ids: answersInResponse ? this.ids : none,
      maxNesting: limits.maxNesting,
      maxJsonBytes: answersInResponse ? limits.maxAnswerBytes : undefined,
      refused: (error) => this.apply('settle', error),
    });
    this.apply('head-refusal');
  }

  #unusable(type: string | undefined): TransportError {
    const { status } = this;
    const { origin } = this.#ports.route;
    const content =
      type === undefined || status === 202 || status === 204
        ? `HTTP ${status} and no content`
        : `the content type "${type.slice(0, 60)}"`;
    const message = `${origin} answered a request with ${content}; JSON or an event stream was expected. Is this the URL of an MCP server?`;
    return new TransportError(message, { status });
  }
}

const none: readonly RequestId[] = [];
