import { type Envelope, TransportError } from '@tenon/mcp-protocol';
import { closedError, type InFlightRequests } from '../request/in-flight-requests.js';
import { type AnswerHeaders, headerOf } from '../sender/http-sender.js';
import { ResumableStream, type StreamOwner, type StreamPorts } from '../streams/resumable-stream.js';
import type { PostRequest, PostSession } from './post-request.js';

/** The parts of its connection that a session uses. */
export interface ClientSessionPorts extends StreamPorts {
  readonly inFlight: InFlightRequests<PostRequest>;
}

/** The connection of a session, as the session sees it. */
export interface SessionOwner {
  /** True once the connection is closing. */
  isEnding(): boolean;
  /** Ends the connection. */
  over(reason: TransportError): void;
  /** Called when messages of the event stream may be lost. */
  missed(): void;
}

/** The steps of a session until its event stream is requested. The event stream is requested after the server has accepted the first message. */
type SessionStep = 'none' | 'opened' | 'listening';

/** The session of one connection: its id, its event stream, and the loss of the session. */
export class ClientSession implements PostSession {
  /** True after the server has reported that it does not know the session. */
  isLost = false;
  readonly #ports: ClientSessionPorts;
  readonly #owner: SessionOwner;
  #isOpen = false;
  #step: SessionStep = 'none';
  #events: ResumableStream | undefined;
  #cancelLossWait: (() => void) | undefined;
  /** POSTs that were answered 404, and wait until the session is settled as lost. */
  readonly #orphans = new Map<PostRequest, TransportError>();

  constructor(ports: ClientSessionPorts, owner: SessionOwner) {
    this.#ports = ports;
    this.#owner = owner;
  }

  /** Resets the state before a new session is opened. */
  reopen(): void {
    this.#setId(undefined);
    this.#step = 'none';
    this.#events?.stop();
  }

  covers(envelope: Envelope): boolean {
    return this.#isOpen && envelope.opening !== true;
  }

  accepted(envelope: Envelope, headers: AnswerHeaders): TransportError | undefined {
    if (envelope.opening === true) {
      const id = headerOf(headers, 'mcp-session-id');
      const problem = id === undefined ? undefined : sessionIdProblem(id);
      if (problem !== undefined) return problem;
      this.#setId(id);
      this.#step = 'opened';
    } else if (this.#step === 'opened') {
      this.#step = 'listening';
      // In a microtask, because the response has mostly ended by then: the GET reuses its connection, and the server
      // has the stream for its own requests before the first call.
      queueMicrotask(() => {
        if (this.#step === 'listening' && !this.#owner.isEnding()) this.#listen();
      });
    }
    return undefined;
  }

  orphaned(post: PostRequest, error: TransportError): void {
    this.#orphans.set(post, error);
    this.lost();
  }

  /**
   * Fails the POSTs that were not sent, and ends the connection when the server has answered the others. POSTs that are
   * answered 404 meanwhile can be sent again in another session.
   */
  lost(): void {
    if (this.isLost) return;
    const { clock, inFlight, limits } = this.#ports;
    this.isLost = true;
    this.#setId(undefined);
    this.#cancelLossWait = clock.schedule(() => this.#settleLoss(true), limits.closeWaitMs, true);
    inFlight.onHeadReceived = () => queueMicrotask(() => this.#settleLoss());
    for (const post of inFlight.all) if (!post.begun) post.settle(closedError({ unhandled: true }));
    this.#settleLoss();
  }

  /** Ends the event stream and every wait. */
  stop(): void {
    this.#events?.stop();
    this.#cancelLossWait?.();
  }

  #setId(id: string | undefined): void {
    this.#ports.headers.session = id;
    this.#isOpen = id !== undefined;
  }

  #listen(): void {
    const owner: StreamOwner = {
      // The same as for an open stream.
      holds: true,
      wanted: () => !this.#owner.isEnding(),
      ended: () => {},
      missed: () => this.#owner.missed(),
      refused: (status) => {
        const { origin } = this.#ports.route;
        const message = `${origin} does not resume its event stream: HTTP ${status}.`;
        owner.lost(new TransportError(message, { status }));
      },
      lost: (error) => {
        // A server that has answered but never with a stream offers none, whatever the status.
        if (stream.hasOpened || error.status === undefined) this.#owner.over(error);
      },
      sessionLost: () => this.lost(),
    };
    const stream = new ResumableStream(this.#ports, owner);
    this.#events = stream;
    stream.open();
  }

  #settleLoss(late = false): void {
    const { inFlight, route } = this.#ports;
    if (this.#owner.isEnding() || (!late && inFlight.all.some((post) => post.awaitsHead))) return;
    this.#cancelLossWait?.();
    for (const [post, error] of this.#orphans) post.settle(error);
    this.#orphans.clear();
    const message = `${route.origin} does not know the session any more.`;
    this.#owner.over(new TransportError(message, { status: 404 }));
  }
}

const longest = 4_096;

/**
 * Returns the problem of a server's session id. The id is a secret, so the message does not contain it.
 * https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#session-management
 */
function sessionIdProblem(id: string): TransportError | undefined {
  if (id.length > longest) {
    return new TransportError(`The session id of the server is longer than ${longest} characters.`);
  }
  return /^[\x21-\x7e]+$/.test(id)
    ? undefined
    : new TransportError('The session id of the server holds characters other than visible ASCII.');
}
