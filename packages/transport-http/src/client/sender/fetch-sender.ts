import { follow } from '@tenon/foundation';
import { TransportError } from '@tenon/mcp-protocol';
import type { AnswerHeaders, AnswerSink, HttpSender, RequestControl, SenderRequest } from './http-sender.js';
import { transportFailure } from './transport-failure.js';

/** A function like the global `fetch`. */
export type Fetch = (input: string, init: RequestInit) => Promise<Response>;

/** Response headers that the client reads. */
const read = ['content-type', 'dpop-nonce', 'location', 'mcp-session-id', 'www-authenticate'];

/** Makes a sender on any `fetch`. */
export function fetchSender(origin: string, fetch: Fetch): HttpSender {
  const open = new Set<FetchRequest>();
  return {
    request(request, sink) {
      const control = new FetchRequest(sink);
      open.add(control);
      const over = () => open.delete(control);
      follow(control.run(fetch, origin, request), over, over);
      return control;
    },
    async close() {
      for (const control of open) control.fail(new TransportError('The connection was closed.'));
    },
  };
}

class FetchRequest implements RequestControl {
  readonly #sink: AnswerSink;
  readonly #controller = new AbortController();
  #paused: { readonly over: Promise<void>; readonly end: () => void } | undefined;
  #over = false;

  constructor(sink: AnswerSink) {
    this.#sink = sink;
  }

  async run(fetch: Fetch, origin: string, request: SenderRequest): Promise<void> {
    const { method, path, headers, body } = request;
    try {
      const response = await fetch(origin + path, {
        method,
        headers: pairs(headers),
        ...(body !== null && { body }),
        redirect: 'manual',
        signal: this.#controller.signal,
      });
      if (this.#over) return;
      if (response.type === 'opaqueredirect') {
        throw new TransportError(
          'The server redirects, and this runtime does not report the target: connect to the final URL.',
        );
      }
      this.#sink.head(response.status, headersOf(response));
      await this.#read(response);
    } catch (error) {
      this.fail(transportFailure(error, origin));
    }
  }

  abort(): void {
    this.#over = true;
    this.resume();
    this.#controller.abort();
  }

  /** Ends the request and passes the error to the sink. */
  fail(error: unknown): void {
    if (this.#over) return;
    this.abort();
    this.#sink.failed(error);
  }

  pause(): void {
    if (this.#paused !== undefined) return;
    let end = () => {};
    const over = new Promise<void>((resolve) => {
      end = resolve;
    });
    this.#paused = { over, end };
  }

  resume(): void {
    this.#paused?.end();
    this.#paused = undefined;
  }

  async #read({ body }: Response): Promise<void> {
    const reader = body?.getReader();
    while (reader !== undefined && !this.#over) {
      const { done, value } = await reader.read();
      if (done) break;
      if (!this.#over) this.#sink.chunk(value);
      await this.#paused?.over;
    }
    if (this.#over) return;
    this.#over = true;
    this.#sink.end();
  }
}

function pairs(flat: readonly string[]): [string, string][] {
  const list: [string, string][] = [];
  for (let index = 0; index + 1 < flat.length; index += 2) {
    list.push([flat[index] as string, flat[index + 1] as string]);
  }
  return list;
}

function headersOf({ headers }: Response): AnswerHeaders {
  const found: Record<string, string> = {};
  for (const name of read) {
    const value = headers.get(name);
    if (value !== null) found[name] = value;
  }
  return found;
}
