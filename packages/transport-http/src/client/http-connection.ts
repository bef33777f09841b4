import {
  type Authorizer,
  type CarrierFacts,
  type Clock,
  type Connection,
  detach,
  type Envelope,
  type Receiver,
  type RequestId,
  type Revision,
  TransportError,
} from '@tenon/mcp-protocol';
import { EventStream, type StreamOwner } from './event-stream.js';
import { endSession } from './farewell.js';
import type { HttpLimits } from './http-limits.js';
import { type AnswerHeaders, type HttpSender, headerOf } from './http-sender.js';
import { Inbox } from './inbox.js';
import { closedError, Outstanding } from './outstanding.js';
import { Post, type PostHost } from './post.js';
import { realClock } from './real-clock.js';
import { RequestHeaders } from './request-headers.js';
import { Route } from './route.js';
import { sessionIdFlaw } from './session-id.js';
import type { HeaderSource } from './user-headers.js';

/** What a connection is made of. */
export interface HttpParts {
  readonly url: URL;
  readonly sender: HttpSender;
  readonly limits: HttpLimits;
  readonly headers?: HeaderSource | undefined;
  readonly authorizer?: Authorizer | undefined;
  readonly clock?: Clock | undefined;
  /** A number from 0 up to 1, for jitter. */
  readonly random?: (() => number) | undefined;
}

const noFacts: CarrierFacts = Object.freeze({});
const noEnvelope: Envelope = Object.freeze({});

/** Where a session is in its opening: events are asked for once the server took something after it. */
type Opening = 'none' | 'opened' | 'listening';

/**
 * A client's connection to one URL: a POST for each frame, and in revisions with sessions a stream of events beside.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http
 */
export class HttpConnection implements Connection {
  readonly facts: CarrierFacts = noFacts;
  readonly carriesHeaders = true;
  readonly #host: PostHost;
  readonly #inbox: Inbox;
  readonly #outstanding: Outstanding<Post>;
  /** Ends the wait of each answer that is to be sent again. */
  readonly #naps = new Set<() => void>();
  #receiver: Receiver | undefined;
  #revision: Revision | undefined;
  #opening: Opening = 'none';
  #listening: EventStream | undefined;
  #ending: Promise<void> | undefined;
  #onMissed: (() => void) | undefined;
  /** Set once the server has forgotten the session: gives up waiting for what it says of the rest. */
  #lost: (() => void) | undefined;
  readonly #orphans = new Map<Post, TransportError>();

  /** @throws TypeError for headers that are not the application's to set. */
  constructor(parts: HttpParts) {
    const { url, sender, limits, clock = realClock, random = Math.random } = parts;
    const inbox = new Inbox({
      limits,
      exchange: this,
      send: (frame) => this.#answer(frame),
      batches: () => this.#revision?.rules.batching !== false,
    });
    this.#inbox = inbox;
    this.#outstanding = new Outstanding({ inbox, clock, limits });
    const isResumable = () => this.#revision?.rules.resumable === true;
    const { authorizer } = parts;
    this.#host = {
      sender,
      limits,
      clock,
      random,
      route: new Route(url, limits.maxRedirects),
      headers: new RequestHeaders(parts.headers),
      auth: authorizer && {
        authorizer,
        revision: () => this.#revision,
        waitsFor: (step) => this.#receiver?.waitsFor?.(step),
      },
      get resumable() {
        return isResumable();
      },
      deliver: (value, source) => inbox.deliver(value, source),
      deliverText: (text, source) => inbox.deliverText(text, source),
      headed: (post) => {
        this.#outstanding.headed(post);
        if (this.#lost !== undefined) queueMicrotask(() => this.#settleLoss());
      },
      orphaned: (post, error) => {
        this.#orphans.set(post, error);
        this.#sessionLost();
      },
      accepted: (post, headers) => this.#accepted(post, headers),
      finished: (post) => this.#outstanding.finished(post),
      sessionLost: () => this.#sessionLost(),
    };
  }

  start(receiver: Receiver): void {
    if (this.#receiver !== undefined) throw new TypeError('This connection has been started already.');
    this.#receiver = receiver;
    this.#inbox.receiver = receiver;
  }

  /**
   * Posts a frame.
   * @returns a promise that resolves once the answers to the requests in it are there, or, without any, once the server
   * took it. It rejects with a TransportError; with a RemoteError where the body of a refusal is one, its status in the cause.
   */
  send(frame: string, envelope: Envelope = noEnvelope): Promise<void> {
    if (this.#ending !== undefined || this.#lost !== undefined) {
      return Promise.reject(closedError({ unhandled: true }));
    }
    return new Promise((resolve, reject) =>
      this.#post(new Post(this.#host, { frame, envelope, resolve, reject })),
    );
  }

  settled(revision: Revision): void {
    this.#revision = revision;
    this.#host.headers.revision = revision;
  }

  onMissed(listener: () => void): void {
    this.#onMissed = listener;
  }

  /** Closing the exchange of a request is its cancellation where requests stand alone; elsewhere its end is read. */
  cancel(id: RequestId): boolean {
    const isCancelled = this.#revision?.rules.standalone === true;
    const post = this.#inbox.awaiting(id);
    if (post instanceof Post) {
      this.#inbox.forget(id);
      post.giveUp(!isCancelled);
    }
    return isCancelled;
  }

  close(): Promise<void> {
    return this.#end(undefined);
  }

  /** Sends an answer to the server, again if its connection breaks: an answer that comes twice does no harm. */
  async #answer(frame: string): Promise<void> {
    const { random, limits } = this.#host;
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.send(frame);
      } catch (error) {
        const broken = error instanceof TransportError && error.status === undefined;
        if (!broken || attempt > limits.maxAnswerRepeats || this.#ending !== undefined) throw error;
      }
      await this.#nap(limits.answerBackoffMs * 2 ** (attempt - 1) * (0.5 + random() / 2));
    }
  }

  /** Resolves after so many milliseconds, or once the connection ends. */
  #nap(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        cancel();
        this.#naps.delete(wake);
        resolve();
      };
      const cancel = this.#host.clock.schedule(wake, ms, true);
      this.#naps.add(wake);
    });
  }

  #post(post: Post): void {
    if (post.envelope.opening === true) {
      this.#host.headers.session = undefined;
      this.#opening = 'none';
      this.#listening?.stop();
    }
    this.#outstanding.add(post);
  }

  #accepted({ envelope }: Post, headers: AnswerHeaders): TransportError | undefined {
    if (envelope.opening === true) {
      const id = headerOf(headers, 'mcp-session-id');
      const flaw = id === undefined ? undefined : sessionIdFlaw(id);
      if (flaw !== undefined) return flaw;
      this.#host.headers.session = id;
      this.#opening = 'opened';
    } else if (this.#opening === 'opened') {
      this.#opening = 'listening';
      // By then this answer is mostly over. On its connection, which is open, the stream is there before the first call, and so
      // is what a server can only ask on it.
      queueMicrotask(() => {
        if (this.#opening === 'listening' && this.#ending === undefined) this.#listen();
      });
    }
    return undefined;
  }

  #listen(): void {
    const owner: StreamOwner = {
      // As the stream itself does while it is there.
      holds: true,
      wanted: () => this.#ending === undefined,
      ended: () => {},
      missed: () => this.#onMissed?.(),
      refused: (status) => {
        const { origin } = this.#host.route;
        owner.lost(
          new TransportError(`${origin} does not give its event stream again: HTTP ${status}.`, { status }),
        );
      },
      lost: (error) => {
        // A server that answered, and never with a stream, offers none, whatever status it has for that.
        if (stream.hasOpened || error.status === undefined) this.#over(error);
      },
    };
    const stream = new EventStream(this.#host, owner);
    this.#listening = stream;
    stream.open();
  }

  /** Calls sent at the same time are about to hear the same: each of them, too, may then be sent again. */
  #sessionLost(): void {
    if (this.#lost !== undefined) return;
    const { clock, headers, limits } = this.#host;
    headers.session = undefined;
    this.#lost = clock.schedule(() => this.#settleLoss(true), limits.closeWaitMs, true);
    for (const post of this.#outstanding.all) if (!post.begun) post.settle(closedError({ unhandled: true }));
    this.#settleLoss();
  }

  #settleLoss(late = false): void {
    if (this.#ending !== undefined || (!late && this.#outstanding.all.some((post) => post.unheard))) return;
    this.#lost?.();
    for (const [post, error] of this.#orphans) post.settle(error);
    this.#orphans.clear();
    const message = `${this.#host.route.origin} does not know the session any more.`;
    this.#over(new TransportError(message, { status: 404 }));
  }

  #over(reason: TransportError): void {
    detach(this.#end(reason), (error) => this.#receiver?.onError?.(error, 'http'));
  }

  #end(reason: TransportError | undefined): Promise<void> {
    this.#ending ??= this.#shutDown(reason);
    return this.#ending;
  }

  async #shutDown(reason: TransportError | undefined): Promise<void> {
    this.#listening?.stop();
    this.#lost?.();
    for (const wake of this.#naps) wake();
    // Whoever was just refused hears of that before everybody hears of the end.
    await settled;
    if (reason !== undefined) this.#receiver?.closed(reason);
    for (const post of this.#outstanding.all) {
      if (post.wanted()) post.settle(reason ?? closedError());
      else if (post.lingering) post.settle();
    }
    await this.#outstanding.idle();
    for (const post of this.#outstanding.all) post.settle(reason ?? closedError());
    if (this.#host.headers.session !== undefined) await endSession(this.#host);
    await this.#host.sender.close();
    if (reason === undefined) this.#receiver?.closed();
  }
}

const settled = Promise.resolve();
