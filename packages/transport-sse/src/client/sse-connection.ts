import { detach, follow, withinTime } from '@tenon/foundation';
import {
  type Authorizer,
  type Connection,
  type Envelope,
  type Receiver,
  type RequestId,
  type Revision,
  TransportError,
  type TransportFacts,
} from '@tenon/mcp-protocol';
import {
  type AuthorizationPorts,
  closedError,
  Inbox,
  InFlightRequests,
  type PostPorts,
  PostRequest,
  type PostSession,
  RequestRoute,
} from '@tenon/mcp-transport-http/client/internal';
import { endpointUrl, type SseParts, type SsePorts, SseStream } from './sse-stream.js';

const noFacts: TransportFacts = Object.freeze({});
const noEnvelope: Envelope = Object.freeze({});

/**
 * A client's connection over HTTP+SSE: an event stream for messages of the server, and a POST for each frame.
 * https://modelcontextprotocol.io/specification/2024-11-05/basic/transports#http-with-sse
 */
export class SseConnection implements Connection {
  readonly needsHandshake = true;
  readonly facts: TransportFacts = noFacts;
  readonly #ports: SsePorts;
  readonly #inbox: Inbox;
  readonly #inFlight: InFlightRequests<PostRequest>;
  readonly #stream: SseStream;
  /** Messages received before start. */
  #early: string[] = [];
  #posting: PostPorts | undefined;
  #receiver: Receiver | undefined;
  #reason: Error | undefined;
  #endReported = false;
  #ending: Promise<void> | undefined;
  /** Rejects the frames that were sent while the end waits for the responses to POSTs. */
  #late: (() => void)[] | undefined;
  #onOpened: ((error?: Error) => void) | undefined;
  /** Set while the stream is being opened. */
  #onHeld: ((step: Promise<unknown>) => void) | undefined;

  private constructor({ authorizer, ...parts }: SseParts) {
    const { clock, limits } = parts;
    this.#ports = authorizer === undefined ? parts : { ...parts, auth: this.#authorization(authorizer) };
    this.#inbox = new Inbox({ limits, exchange: this, send: (frame) => this.send(frame) });
    this.#inFlight = new InFlightRequests<PostRequest>({ inbox: this.#inbox, clock, limits });
    this.#stream = new SseStream(this.#ports, {
      endpoint: (uri) => this.#found(uri),
      message: (text) => this.#take(text),
      over: (error) => this.#over(error),
    });
  }

  /**
   * Opens the event stream; resolves after the endpoint event.
   * Rejects with a TransportError without one, and with the error of the application's headers.
   */
  static async open(parts: SseParts): Promise<SseConnection> {
    const connection = new SseConnection(parts);
    try {
      await connection.#open();
    } catch (error) {
      await parts.sender.close();
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
    // The connection may have ended already.
    if (this.#ending !== undefined) follow(settled, () => this.#reportEnd(), this.#failed);
  }

  /**
   * Posts a frame.
   * @returns a promise that resolves when the server has accepted it, and rejects with a TransportError otherwise.
   */
  send(frame: string, envelope: Envelope = noEnvelope): Promise<void> {
    const ports = this.#posting;
    if (ports === undefined || this.#ending !== undefined) {
      const error = closedError({ unhandled: true });
      // Rejected with the end: a frame that is sent again before would be rejected again.
      return this.#late === undefined
        ? Promise.reject(error)
        : new Promise((_, reject) => this.#late?.push(() => reject(error)));
    }
    return new Promise((resolve, reject) =>
      ports.inFlight.add(new PostRequest(ports, { frame, envelope, resolve, reject })),
    );
  }

  settled(revision: Revision): void {
    this.#ports.headers.revision = revision;
  }

  /** Stops waiting for an answer. The session sends the notification of the cancellation. */
  cancel(id: RequestId): boolean {
    const post = this.#inbox.awaiting(id);
    if (post instanceof PostRequest) {
      this.#inbox.forget(id);
      post.giveUp(false);
    }
    return false;
  }

  close(): Promise<void> {
    return this.#end(undefined);
  }

  #authorization(authorizer: Authorizer): AuthorizationPorts {
    return {
      authorizer,
      revision: () => this.#ports.headers.revision,
      waitsFor: (step) => {
        this.#receiver?.waitsFor?.(step);
        this.#onHeld?.(step);
      },
    };
  }

  #open(): Promise<void> {
    const { clock, limits, route } = this.#ports;
    const ms = limits.endpointWaitMs;
    return new Promise((resolve, reject) => {
      const message = `${route.origin} did not say where to post within ${ms} ms (limit endpointWaitMs).`;
      const limit = () => clock.schedule(() => this.#stream.fail(new TransportError(message)), ms);
      let cancel = limit();
      // The limit is for the server: time for signing in does not count.
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
      this.#stream.open();
    });
  }

  #found(uri: string): void {
    // Only the first one counts: a session keeps its URI.
    if (this.#posting !== undefined) return;
    const { origin, path } = this.#ports.route;
    const url = endpointUrl(uri, origin + path);
    if (url instanceof TransportError) {
      this.#stream.fail(url);
      return;
    }
    this.#posting = {
      ...this.#ports,
      route: new RequestRoute(url, this.#ports.limits.maxRedirects),
      random: Math.random,
      inbox: this.#inbox,
      inFlight: this.#inFlight,
      session: this.#session(),
      answersInResponse: false,
    };
    // All following messages wait for the receiver.
    this.#stream.pause();
    this.#onOpened?.();
  }

  #session(): PostSession {
    return {
      // The session is as old as the event stream.
      covers: () => true,
      accepted: () => undefined,
      orphaned: (post, error) => {
        post.settle(error);
        this.#over(error);
      },
      // Called for event streams in responses to POSTs, which this transport does not have.
      lost: () => this.#over(closedError()),
    };
  }

  #take(text: string): void {
    if (this.#receiver !== undefined) this.#inbox.deliverText(text, this.#stream);
    else if (this.#posting !== undefined) this.#early.push(text);
    else {
      const { origin } = this.#ports.route;
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

  #reportEnd(): void {
    if (this.#endReported || this.#receiver === undefined) return;
    this.#endReported = true;
    this.#receiver.closed(this.#reason);
  }

  /**
   * Waits until the server has accepted or refused the requests that are being posted, `closeWaitMs` at most: a server that has
   * ended the stream refuses them, so that they can be sent again.
   */
  async #heads(): Promise<void> {
    const isWaiting = () => this.#inFlight.all.some((post) => post.awaitsHead);
    if (!isWaiting()) return;
    const { clock, limits } = this.#ports;
    this.#late = [];
    const received = new Promise<void>((resolve) => {
      // The head is read after this call.
      this.#inFlight.onHeadReceived = () =>
        queueMicrotask(() => {
          if (!isWaiting()) resolve();
        });
    });
    await withinTime(received, { clock, ms: limits.closeWaitMs, holds: true });
    this.#inFlight.onHeadReceived = undefined;
    for (const reject of this.#late) reject();
    this.#late = undefined;
  }

  async #shutDown(reason: Error | undefined): Promise<void> {
    const error = reason ?? closedError();
    if (reason !== undefined) {
      this.#stream.stop();
      await this.#heads();
      // The senders of requests that were just refused are notified before the receiver.
      await settled;
      this.#reportEnd();
    }
    for (const post of this.#inFlight.all) {
      if (reason !== undefined || post.ids.length > 0 || post.lingering) post.settle(error);
    }
    await this.#inFlight.idle();
    for (const post of this.#inFlight.all) post.settle(error);
    this.#stream.stop();
    await this.#ports.sender.close();
    this.#reportEnd();
  }
}

const settled = Promise.resolve();
