import { type Clock, detach, systemClock } from '@tenon/foundation';
import type {
  Authorizer,
  Connection,
  Envelope,
  Receiver,
  RequestId,
  Revision,
  TransportError,
  TransportFacts,
} from '@tenon/mcp-protocol';
import type { AuthorizationPorts } from '../request/authorization.js';
import { endSession } from '../request/end-session.js';
import type { HttpClientBounds } from '../request/http-limits.js';
import { Reachability } from '../request/http-request.js';
import { closedError, InFlightRequests } from '../request/in-flight-requests.js';
import { Inbox } from '../request/inbox.js';
import { RequestHeaders } from '../request/request-headers.js';
import { RequestRoute } from '../request/route.js';
import type { HeaderSource } from '../request/user-headers.js';
import type { HttpSender } from '../sender/http-sender.js';
import { AnswerSender } from './answer-sender.js';
import { ClientSession, type ClientSessionPorts, type SessionOwner } from './client-session.js';
import { type PostPorts, PostRequest } from './post-request.js';

/** The URL, sender and settings of a connection. */
export interface HttpParts {
  readonly url: URL;
  readonly sender: HttpSender;
  readonly limits: HttpClientBounds;
  readonly headers?: HeaderSource | undefined;
  readonly authorizer?: Authorizer | undefined;
  readonly clock?: Clock | undefined;
  /** Returns a number from 0 up to 1, for jitter. */
  readonly random?: (() => number) | undefined;
}

const noFacts: TransportFacts = Object.freeze({});
const noEnvelope: Envelope = Object.freeze({});

/**
 * A client's connection to one URL: a POST for each frame, and in revisions with sessions an event stream beside them.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http
 */
export class HttpConnection implements Connection {
  readonly facts: TransportFacts = noFacts;
  readonly carriesHeaders = true;
  readonly #ports: PostPorts;
  readonly #session: ClientSession;
  readonly #answers: AnswerSender;
  readonly #reachability: Reachability;
  #receiver: Receiver | undefined;
  #ending: Promise<void> | undefined;
  #onMissed: (() => void) | undefined;

  /** @throws TypeError if the headers include one that only the transport may set. */
  constructor(parts: HttpParts) {
    const { url, sender, limits, authorizer, clock = systemClock, random = Math.random } = parts;
    const headers = new RequestHeaders(parts.headers);
    this.#reachability = new Reachability(url.origin);
    const inbox = new Inbox({
      limits,
      exchange: this,
      send: (frame) => this.#answers.send(frame),
      batches: () => headers.revision?.rules.batching !== false,
    });
    const ports: ClientSessionPorts = {
      sender,
      limits,
      clock,
      random,
      headers,
      inbox,
      route: new RequestRoute(url, limits.maxRedirects),
      reachability: this.#reachability,
      auth: authorizer && this.#authorization(authorizer, headers),
      inFlight: new InFlightRequests<PostRequest>({ inbox, clock, limits }),
    };
    this.#answers = new AnswerSender({ limits, clock, random, send: (frame) => this.send(frame) });
    this.#session = new ClientSession(ports, this.#sessionOwner());
    this.#ports = { ...ports, session: this.#session, answersInResponse: true };
  }

  start(receiver: Receiver): void {
    if (this.#receiver !== undefined) throw new TypeError('This connection has been started already.');
    this.#receiver = receiver;
    this.#ports.inbox.receiver = receiver;
  }

  /**
   * Posts a frame.
   * @returns a promise that resolves when the requests in the frame are answered or, if there are none, when the server
   * has accepted the frame. It rejects with a TransportError, or with a RemoteError if the body of an error response is
   * one; the cause of the error has the status.
   */
  send(frame: string, envelope: Envelope = noEnvelope): Promise<void> {
    if (this.#ending !== undefined || this.#session.isLost) {
      return Promise.reject(closedError({ unhandled: true }));
    }
    if (envelope.opening === true) this.#session.reopen();
    const ports = this.#ports;
    return new Promise((resolve, reject) =>
      ports.inFlight.add(new PostRequest(ports, { frame, envelope, resolve, reject })),
    );
  }

  settled(revision: Revision): void {
    this.#ports.headers.revision = revision;
  }

  onMissed(listener: () => void): void {
    this.#onMissed = listener;
  }

  onReachable(listener: (failure: Error | undefined) => void): void {
    this.#reachability.onChange = listener;
  }

  /**
   * Cancels a request by closing its HTTP exchange, in stateless revisions only. In sessions, the rest of the response is
   * read.
   */
  cancel(id: RequestId): boolean {
    const { headers, inbox } = this.#ports;
    const isCancelled = headers.revision?.rules.standalone === true;
    const post = inbox.awaiting(id);
    if (post instanceof PostRequest) {
      inbox.forget(id);
      post.giveUp(!isCancelled);
    }
    return isCancelled;
  }

  close(): Promise<void> {
    return this.#end(undefined);
  }

  #authorization(authorizer: Authorizer, headers: RequestHeaders): AuthorizationPorts {
    return {
      authorizer,
      revision: () => headers.revision,
      waitsFor: (step) => this.#receiver?.waitsFor?.(step),
    };
  }

  #sessionOwner(): SessionOwner {
    return {
      isEnding: () => this.#ending !== undefined,
      missed: () => this.#onMissed?.(),
      over: (reason) => detach(this.#end(reason), (error) => this.#receiver?.onError?.(error, 'http')),
    };
  }

  #end(reason: TransportError | undefined): Promise<void> {
    this.#ending ??= this.#shutDown(reason);
    return this.#ending;
  }

  async #shutDown(reason: TransportError | undefined): Promise<void> {
    const { headers, inFlight, sender } = this.#ports;
    this.#session.stop();
    this.#answers.stop();
    // The senders of requests that have just failed are notified before the receiver.
    await settled;
    if (reason !== undefined) this.#receiver?.closed(reason);
    for (const post of inFlight.all) {
      if (post.unanswered > 0) post.settle(reason ?? closedError());
      else if (post.lingering) post.settle();
    }
    await inFlight.idle();
    for (const post of inFlight.all) post.settle(reason ?? closedError());
    if (headers.session !== undefined) await endSession(this.#ports);
    await sender.close();
    if (reason === undefined) this.#receiver?.closed();
  }
}

const settled = Promise.resolve();
