import type { Clock } from '@tenon/foundation';
import { type Authorizer, TransportError } from '@tenon/mcp-protocol';
import type { AnswerHeaders } from '@tenon/mcp-transport-http/client';
import {
  type BodySink,
  EventReader,
  HttpRequest,
  mediaTypeOf,
  type Pausable,
  RefusalBody,
  type RequestHeaders,
  type RequestPorts,
  type ResponseSink,
  requestFailure,
} from '@tenon/mcp-transport-http/client/internal';
import type { SseClientBounds } from './sse-limits.js';

/** Receives the events of an event stream. */
export interface StreamListener {
  /** The first event of a session: the URI to post to. */
  endpoint(uri: string): void;
  message(text: string): void;
  /** Called once, with the reason, when no more events will arrive. */
  over(error: Error): void;
}

/** The event stream of a session: a GET with a response that lasts as long as the session. */
export class SseStream implements ResponseSink, BodySink, Pausable {
  readonly #ports: SsePorts;
  readonly #listener: StreamListener;
  readonly #request: HttpRequest;
  readonly #reader: EventReader;

  constructor(ports: SsePorts, listener: StreamListener) {
    this.#ports = ports;
    this.#listener = listener;
    const content = { method: 'GET', headers: () => ports.headers.other('GET', undefined) } as const;
    this.#request = new HttpRequest(ports, content, this);
    this.#reader = new EventReader(ports.limits, {
      event: ({ event = 'message', data }) => {
        if (this.#request.over) return;
        if (event === 'endpoint') listener.endpoint(data);
        else if (event === 'message' && data !== '') listener.message(data);
      },
      retry() {},
    });
  }

  /** Sends the GET. */
  open(): void {
    this.#request.send();
  }

  /** Closes the stream. Its listener is not called any more. */
  stop(): void {
    this.#request.abort();
  }

  /** Closes the stream with an error, which its listener receives. */
  fail(error: Error): void {
    this.stop();
    this.#listener.over(error);
  }

  pause(): void {
    this.#request.pause();
  }

  resume(): void {
    this.#request.resume();
  }

  head(status: number, headers: AnswerHeaders): BodySink | undefined {
    const origin = this.#origin;
    if (status !== 200) {
      const { maxNesting } = this.#ports.limits;
      return new RefusalBody(status, headers, {
        origin,
        ids: [],
        maxNesting,
        refused: (error) => this.fail(error),
      });
    }
    const type = mediaTypeOf(headers);
    if (type === 'text/event-stream') return this;
    const content = type === undefined ? 'no content type' : `the content type "${type.slice(0, 60)}"`;
    const message = `${origin} answered with ${content}; an event stream was expected. Is this the URL of an HTTP+SSE server?`;
    this.fail(new TransportError(message, { status }));
    return undefined;
  }

  chunk(bytes: Uint8Array): void {
    const problem = this.#reader.push(bytes);
    // An event may have closed the stream.
    if (problem !== undefined && !this.#request.over) {
      this.fail(new TransportError(`${problem} The connection was closed.`));
    }
  }

  end(): void {
    this.#listener.over(
      new TransportError(`${this.#origin} ended the event stream, and the session with it.`),
    );
  }

  failed(error: unknown): void {
    this.#listener.over(requestFailure(error, this.#origin));
  }

  get #origin(): string {
    return this.#ports.route.origin;
  }
}

/**
 * Returns the URL that an endpoint event names, or the reason that the client must not post there.
 * @param stream - URL of the event stream, the base of a relative URI.
 */
export function endpointUrl(uri: string, stream: string): URL | TransportError {
  const { origin } = new URL(stream);
  let url: URL;
  try {
    url = new URL(uri, stream);
  } catch {
    return new TransportError(`${origin} sent an endpoint event that is not a URI.`);
  }
  if (url.origin === origin) return url;
  const named = url.origin === 'null' ? url.protocol : url.origin;
  return new TransportError(
    `${origin} sent an endpoint event with another origin (${named.slice(0, 200)}); nothing is sent there.`,
  );
}

/** The dependencies of the requests of one connection. */
export interface SsePorts extends RequestPorts {
  readonly headers: RequestHeaders;
  readonly limits: SseClientBounds;
  readonly clock: Clock;
}

/** The parts of a connection. */
export interface SseParts extends Omit<SsePorts, 'auth'> {
  readonly authorizer?: Authorizer | undefined;
}
