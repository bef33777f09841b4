import {
  type Authorizer,
  type CarrierFacts,
  type Connection,
  detach,
  type Envelope,
  follow,
  type Receiver,
  type RequestId,
  type Revision,
  TransportError,
} from '@tenon/mcp-protocol';
import { type Authorizing, closedError, Inbox, Outstanding, Route } from '@tenon/mcp-transport-http/client';
import { endpointUrl } from './endpoint-url.js';
import type { SseHost, SseParts } from './sse-host.js';
import { type PostHost, SsePost } from './sse-post.js';
import { SseStream } from './sse-stream.js';

const noFacts: CarrierFacts = Object.freeze({});
const noEnvelope: Envelope = Object.freeze({});

/**
 * A client's connection over HTTP+SSE: an event stream for what the server says, and a POST for each frame.
 * https://modelcontextprotocol.io/specification/2024-11-05/basic/transports#http-with-sse
 */
export class SseConnection implements Connection {
  readonly needsHandshake = true;
  readonly facts: CarrierFacts = noFacts;
  readonly #host: SseHost;
  readonly #inbox: Inbox;
  readonly #outstanding: Outstanding<SsePost>;
  readonly #stream: SseStream;
  /** Messages that came before the start. */
  #early: string[] = [];
  #posting: PostHost | undefined;
  #receiver: Receiver | undefined;
  #reason: Error | undefined;
  #revision: Revision | undefined;
  #toldEnd = false;
  #ending: Promise<void> | undefined;
  #onOpened: ((error?: Error) => void) | undefined;
  /** Set while the stream is being opened. */
  #onHeld: ((step: Promise<unknown>) => void) | undefined;

  private constructor({ authorizer, ...host }: SseParts) {
    this.#host = authorizer === undefined ? host : { ...host, auth: this.#authorizing(authorizer) };
    this.#inbox = new Inbox({
      limits: host.limits,
      exchange: this,
      send: (frame) => this.send(frame),
    });
    this.#outstanding = new Outstanding({ inbox: this.#inbox, clock: host.clock, limits: host.limits });
    this.#stream = new SseStream(this.#host, {
      endpoint: (uri) => this.#found(uri),
      message: (text) => this.#take(text),
      over: (error) => this.#over(error),
    });
  }

  /**
   * Opens the event stream; resolves once it has said where to post.
   * Rejects with a TransportError when it does not, and with whatever the application's headers failed with.
   */
  static async open(host: SseParts): Promise<SseConnection> {
    const connection = new SseConnection(host);
    try {
      await connection.#open();
    } catch (error) {
      await host.sender.close();
      throw error;
    }
    return connection;
  }

  start(receiver: Receiver): void {
    if (this.#receiver !== undefined) throw new TypeError('This connection has been started already.');
    this.#receiver = receiver;
    this.#inbox.receiver = receiver;
    const early = this.#early;
    this.#early = [];
    for (const text of early) this.#inbox.deliverText(text, this.#stream);
    this.#stream.resume();
    // It may have ended already.
    if (this.#ending !== undefined) follow(settled, () => this.#tellEnd(), this.#failed);
  }

  /**
   * Posts a frame.
   * @returns a promise that resolves once the server took it; it rejects with a TransportError when it did not.
   */
  send(frame: string, envelope: Envelope = noEnvelope): Promise<void> {
    const host = this.#posting;
    if (host === undefined || this.#ending !== undefined) {
      return Promise.reject(closedError({ unhandled: true }));
    }
    return new Promise((resolve, reject) =>
      this.#outstanding.add(new SsePost(host, { frame, envelope, resolve, reject })),
    );
  }

  settled(revision: Revision): void {
    this.#revision = revision;
    this.#host.headers.revision = revision;
  }

  /** Nobody waits for an answer any more; the server is still to be told. */
  cancel(id: RequestId): boolean {
    const post = this.#inbox.awaiting(id);
    if (post instanceof SsePost) {
      this.#inbox.forget(id);
      post.giveUp();
    }
    return false;
  }

  close(): Promise<void> {
    return this.#end(undefined);
  }

  #authorizing(authorizer: Authorizer): Authorizing {
    return {
      authorizer,
      revision: () => this.#revision,
      waitsFor: (step) => {
        this.#receiver?.waitsFor?.(step);
        this.#onHeld?.(step);
      },
    };
  }

  #open(): Promise<void> {
    const { clock, limits, route } = this.#host;
    const ms = limits.endpointWaitMs;
    return new Promise((resolve, reject) => {
      const message = `${route.origin} did not say where to post within ${ms} ms (limit endpointWaitMs).`;
      const limit = () => clock.schedule(() => this.#stream.fail(new TransportError(message)), ms);
      let cancel = limit();
      // Somebody may have to sign in first, which is nothing the server could hurry.
      this.#onHeld = (step) => {
        cancel();
        const again = () => {
          if (this.#onOpened !== undefined) cancel = limit();
        };
        follow(step, again, again);
      };
      this.#onOpened = (error) => {
        cancel();
        this.#onHeld = undefined;
        this.#onOpened = undefined;
        if (error === undefined) resolve();
        else reject(error);
      };
      this.#stream.send();
    });
  }

  #found(uri: string): void {
    // Only the first one counts: a session does not move.
    if (this.#posting !== undefined) return;
    const { origin, path } = this.#host.route;
    const url = endpointUrl(uri, origin + path);
    if (url instanceof TransportError) {
      this.#stream.fail(url);
      return;
    }
    this.#posting = {
      ...this.#host,
      route: new Route(url, this.#host.limits.maxRedirects),
      headed: (post) => this.#outstanding.headed(post),
      finished: (post) => this.#outstanding.finished(post),
      sessionLost: (error) => this.#over(error),
    };
    // Whatever follows waits for the receiver, mostly outside of this process.
    this.#stream.pause();
    this.#onOpened?.();
  }

  #take(text: string): void {
    if (this.#receiver !== undefined) this.#inbox.deliverText(text, this.#stream);
    else if (this.#posting !== undefined) this.#early.push(text);
    else {
      const { origin } = this.#host.route;
      const message = `${origin} sent a message before it said where to post. Is this the URL of an HTTP+SSE server?`;
      this.#stream.fail(new TransportError(message));
    }
  }

  readonly #failed = (error: unknown): void => this.#receiver?.onError?.(error, 'sse');

  #over(error: Error): void {
    if (this.#onOpened !== undefined) this.#onOpened(error);
    else detach(this.#end(error), this.#failed);
  }

  #end(reason: Error | undefined): Promise<void> {
    if (this.#ending === undefined) {
      this.#reason = reason;
      this.#ending = this.#shutDown(reason);
    }
    return this.#ending;
  }

  #tellEnd(): void {
    if (this.#toldEnd || this.#receiver === undefined) return;
    this.#toldEnd = true;
    this.#receiver.closed(this.#reason);
  }

  async #shutDown(reason: Error | undefined): Promise<void> {
    const error = reason ?? closedError();
    if (reason !== undefined) {
      this.#stream.abort();
      // Whoever was just refused hears of that before everybody hears of the end.
      await settled;
      this.#tellEnd();
    }
    for (const post of this.#outstanding.all) {
      if (reason !== undefined || post.ids.length > 0 || post.lingering) post.settle(error);
    }
    await this.#outstanding.idle();
    for (const post of this.#outstanding.all) post.settle(error);
    this.#stream.abort();
    await this.#host.sender.close();
    this.#tellEnd();
  }
}

const settled = Promise.resolve();
