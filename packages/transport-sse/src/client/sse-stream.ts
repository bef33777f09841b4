import { TransportError } from '@tenon/mcp-protocol';
import {
  type AnswerHeaders,
  carrierFailure,
  EventReader,
  mediaTypeOf,
  type Outbound,
  Reply,
  refusalError,
  TextBody,
} from '@tenon/mcp-transport-http/client';
import { maxIdleBytes, type SseHost } from './sse-host.js';

/** Hears what an event stream brings. */
export interface StreamListener {
  /** The server says where to post. */
  endpoint(uri: string): void;
  message(text: string): void;
  /** Nothing more will come, and why. */
  over(error: Error): void;
}

/** The event stream of a session: a GET whose answer lasts as long as the session does. */
export class SseStream extends Reply {
  protected readonly outbound: Outbound;
  readonly #host: SseHost;
  readonly #listener: StreamListener;
  readonly #reader: EventReader;
  #refused: { readonly status: number; readonly headers: AnswerHeaders; readonly body: TextBody } | undefined;

  constructor(host: SseHost, listener: StreamListener) {
    super(host);
    this.#host = host;
    this.#listener = listener;
    this.outbound = { method: 'GET', headers: () => host.headers.other('GET', undefined) };
    this.#reader = new EventReader(host.limits, {
      event: ({ event = 'message', data }) => {
        if (this.over) return;
        if (event === 'endpoint') listener.endpoint(data);
        else if (event === 'message' && data !== '') listener.message(data);
      },
      retry() {},
    });
  }

  /** Gives it up as unusable. */
  fail(error: Error): void {
    this.abort();
    this.#listener.over(error);
  }

  protected onHead(status: number, headers: AnswerHeaders): void {
    const type = mediaTypeOf(headers);
    if (status !== 200) this.#refused = { status, headers, body: new TextBody(maxIdleBytes) };
    else if (type !== 'text/event-stream') {
      const what = type === undefined ? 'no content type' : `the content type "${type.slice(0, 60)}"`;
      const message = `${this.#origin} answered with ${what}; an event stream was expected. Is this the URL of an HTTP+SSE server?`;
      this.fail(new TransportError(message, { status }));
    }
  }

  protected onChunk(bytes: Uint8Array): void {
    if (this.#refused !== undefined) {
      if (!this.#refused.body.push(bytes)) this.fail(this.#refusal());
      return;
    }
    const flaw = this.#reader.push(bytes);
    if (flaw !== undefined && !this.over) this.fail(new TransportError(`${flaw} The connection was closed.`));
  }

  protected onEnd(): void {
    const ended = `${this.#origin} ended the event stream, and the session with it.`;
    this.#listener.over(this.#refused === undefined ? new TransportError(ended) : this.#refusal());
  }

  protected onFailed(error: unknown): void {
    this.#listener.over(error instanceof TypeError ? error : carrierFailure(error, this.#origin));
  }

  get #origin(): string {
    return this.#host.route.origin;
  }

  #refusal(): Error {
    const { status = 0, headers = {}, body } = this.#refused ?? {};
    const { maxNesting } = this.#host.limits;
    return refusalError({ origin: this.#origin, status, headers, text: textOf(body), ids: [], maxNesting });
  }
}

/** The text of a body; undefined when it is not UTF-8. */
export function textOf(body: TextBody | undefined): string | undefined {
  try {
    return body?.text();
  } catch {
    return undefined;
  }
}
