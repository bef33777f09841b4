import {
  type CarrierFacts,
  type Clock,
  type Connection,
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
import { Post, type PostHost } from './post.js';
import { realClock } from './real-clock.js';
import { RequestHeaders } from './request-headers.js';
import { Route } from './route.js';
import { sessionIdFlaw } from './session-id.js';
import { Turns } from './turns.js';
import type { HeaderSource } from './user-headers.js';

/** What a connection is made of. */
export interface HttpParts {
  readonly url: URL;
  readonly sender: HttpSender;
  readonly limits: HttpLimits;
  readonly headers?: HeaderSource | undefined;
  readonly clock?: Clock | undefined;
  /** A number from 0 up to 1, for jitter. */
  readonly random?: (() => number) | undefined;
}

/** How often an answer is sent again, and milliseconds before the first time, doubled for each that follows. */
const maxAnswerRepeats = 4;
const answerDelay = 250;

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
  readonly #requests: Turns;
  /** Apart from requests: an answer the server waits for must not wait for answers of the server. */
  readonly #others: Turns;
  readonly #posts = new Set<Post>();
  #receiver: Receiver | undefined;
  #revision: Revision | undefined;
  #opening: Opening = 'none';
  #listening: EventStream | undefined;
  #ending: Promise<void> | undefined;
  #onIdle: (() => void) | undefined;

  /** @throws TypeError for headers that are not the application's to set. */
  constructor(parts: HttpParts) {
    const { url, sender, limits, clock = realClock, random = Math.random } = parts;
    const inbox = new Inbox({ limits, exchange: this, send: (frame) => this.#answer(frame) });
    this.#inbox = inbox;
    this.#requests = new Turns(limits.maxConnections);
    this.#others = new Turns(limits.maxAnswersLeaving);
    const isResumable = () => this.#revision?.rules.resumable === true;
    this.#host = {
      sender,
      limits,
      clock,
      random,
      route: new Route(url, limits.maxRedirects),
      headers: new RequestHeaders(parts.headers),
      get resumable() {
        return isResumable();
      },
      deliver: (value, source) => inbox.deliver(value, source),
      deliverText: (text, source) => inbox.deliverText(text, source),
      headed: (post) => this.#turnsOf(post).leave(post),
      accepted: (post, headers) => this.#accepted(post, headers),
      finished: (post) => this.#finished(post),
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
   * took it. It rejects with a TransportError; with an RpcError where the body of a refusal is one, its status in the cause.
   */
  send(frame: string, envelope: Envelope = noEnvelope): Promise<void> {
    if (this.#ending !== undefined) return Promise.reject(closedError());
    return new Promise((resolve, reject) =>
      this.#post(new Post(this.#host, { frame, envelope, resolve, reject })),
    );
  }

  settled(revision: Revision): void {
    this.#revision = revision;
    this.#host.headers.revision = revision;
  }

  /** Closing the exchange of a request is its cancellation where requests stand alone; elsewhere nobody reads on. */
  cancel(id: RequestId): boolean {
    const post = this.#inbox.awaiting(id);
    if (post instanceof Post) {
      this.#inbox.forget(id);
      post.giveUp();
    }
    return this.#revision?.rules.standalone === true;
  }

  close(): Promise<void> {
    return this.#end(undefined);
  }

  /** Sends an answer to the server, again if its connection breaks: an answer that comes twice does no harm. */
  async #answer(frame: string): Promise<void> {
    const { clock, random } = this.#host;
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.send(frame);
      } catch (error) {
        const broken = error instanceof TransportError && error.status === undefined;
        if (!broken || attempt > maxAnswerRepeats || this.#ending !== undefined) throw error;
      }
      await new Promise<void>((resolve) => {
        clock.schedule(resolve, answerDelay * 2 ** (attempt - 1) * (0.5 + random() / 2), true);
      });
    }
  }

  #post(post: Post): void {
    this.#posts.add(post);
    if (post.envelope.opening === true) {
      this.#host.headers.session = undefined;
      this.#opening = 'none';
      this.#listening?.stop();
    }
    for (const id of post.ids) this.#inbox.await(id, post);
    this.#turnsOf(post).enter(post);
  }

  #turnsOf({ ids }: Post): Turns {
    return ids.length > 0 ? this.#requests : this.#others;
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
      this.#listen();
    }
    return undefined;
  }

  #finished(post: Post): void {
    this.#posts.delete(post);
    for (const id of post.ids) if (this.#inbox.awaiting(id) === post) this.#inbox.forget(id);
    if (this.#posts.size === 0) this.#onIdle?.();
  }

  #listen(): void {
    const owner: StreamOwner = {
      holds: false,
      wanted: () => this.#ending === undefined,
      ended: () => {},
      refused: (status) => {
        if (!stream.hasOpened) return;
        const { origin } = this.#host.route;
        owner.lost(
          new TransportError(`${origin} does not give its event stream again: HTTP ${status}.`, { status }),
        );
      },
      lost: (error) => void this.#end(error),
    };
    const stream = new EventStream(this.#host, owner);
    this.#listening = stream;
    stream.open();
  }

  #sessionLost(): void {
    const { headers, route } = this.#host;
    headers.session = undefined;
    const message = `${route.origin} does not know the session any more.`;
    void this.#end(new TransportError(message, { status: 404 }));
  }

  #end(reason: TransportError | undefined): Promise<void> {
    this.#ending ??= this.#shutDown(reason);
    return this.#ending;
  }

  async #shutDown(reason: TransportError | undefined): Promise<void> {
    this.#listening?.stop();
    // Whoever was just refused hears of that before everybody hears of the end.
    await settled;
    if (reason !== undefined) this.#receiver?.closed(reason);
    for (const post of [...this.#posts]) {
      if (post.wanted()) post.settle(reason ?? closedError());
      else if (post.lingering) post.settle();
    }
    await this.#idle();
    for (const post of [...this.#posts]) post.settle(reason ?? closedError());
    if (this.#host.headers.session !== undefined) await endSession(this.#host);
    await this.#host.sender.close();
    if (reason === undefined) this.#receiver?.closed();
  }

  /** Resolves once what waits for no answer has left, or it has taken too long. */
  #idle(): Promise<void> {
    if (this.#posts.size === 0) return settled;
    const { clock, limits } = this.#host;
    return new Promise((resolve) => {
      const cancel = clock.schedule(resolve, limits.closeWaitMs, true);
      this.#onIdle = () => {
        cancel();
        resolve();
      };
    });
  }
}

const settled = Promise.resolve();

function closedError(): TransportError {
  return new TransportError('The connection is closed.');
}
