import { TransportError } from '@tenon/mcp-protocol';
import { detach } from '@tenon/mcp-protocol/internal';
import type { Client, Dispatcher } from 'undici';
import type {
  AnswerHeaders,
  AnswerSink,
  HttpExchange,
  HttpSender,
  OpenSender,
  SenderRequest,
} from './http-sender.js';

/**
 * Makes a sender on a pool of connections that are kept alive. The pool has no limit of its own: its callers limit their
 * requests, and long streams must not block other requests.
 */
export const openSender: OpenSender = async (origin, { connectWaitMs }) => {
  const { buildConnector, Client } = await import('undici');
  // All clients share one connector, because it caches TLS sessions.
  const connect = buildConnector({ timeout: connectWaitMs });
  // The session sets the time limits: a tool call may take long before it answers.
  return new PoolSender(() => new Client(origin, { headersTimeout: 0, bodyTimeout: 0, connect }));
};

/**
 * A pool of undici clients. undici's own Pool does not fit: a caller mostly sends its next request when an answer arrives,
 * and Pool does not count the connection of that answer as free yet. It opens twice as many connections as are in use, and
 * searches through all of them for each request.
 */
class PoolSender implements HttpSender {
  readonly #open: () => Client;
  readonly #all: Client[] = [];
  /** Idle clients, the one used last at the end. */
  readonly #free: Client[] = [];
  #closed = false;

  constructor(open: () => Client) {
    this.#open = open;
  }

  request(request: SenderRequest, sink: AnswerSink): HttpExchange {
    const client = this.#free.pop() ?? this.#grow();
    const exchange = new PoolExchange(sink, client, this.#free);
    client.dispatch(request, exchange);
    return exchange;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(this.#all.map((client) => client.destroy()));
  }

  #grow(): Client {
    const client = this.#open();
    this.#all.push(client);
    // Requests that are still sent fail with an error that says the client is closed.
    if (this.#closed) detach(client.destroy(), () => {});
    return client;
  }
}

class PoolExchange implements Dispatcher.DispatchHandler, HttpExchange {
  readonly #sink: AnswerSink;
  readonly #client: Client;
  readonly #free: Client[];
  #controller: Dispatcher.DispatchController | undefined;
  #aborted = false;

  constructor(sink: AnswerSink, client: Client, free: Client[]) {
    this.#sink = sink;
    this.#client = client;
    this.#free = free;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#aborted) controller.abort(new TransportError('The request was aborted.'));
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: AnswerHeaders): void {
    if (this.#aborted || status < 200) return;
    const encoding = headers['content-encoding'];
    if (encoding === undefined || encoding === 'identity') {
      this.#sink.head(status, headers);
      return;
    }
    const shown = String(encoding).slice(0, 40);
    const message = `The server compressed its answer (${shown}) without being asked to; it cannot be read.`;
    this.#refuse(new TransportError(message, { status }));
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Uint8Array): void {
    if (!this.#aborted) this.#sink.chunk(chunk);
  }

  onResponseEnd(): void {
    this.#free.push(this.#client);
    if (!this.#aborted) this.#sink.end();
  }

  onResponseError(_: Dispatcher.DispatchController | undefined, error: Error): void {
    // This client has to connect again, so others are used first.
    this.#free.unshift(this.#client);
    if (!this.#aborted) this.#sink.failed(error);
  }

  abort(): void {
    if (this.#aborted) return;
    this.#aborted = true;
    this.#controller?.abort(new TransportError('The request was aborted.'));
  }

  pause(): void {
    this.#controller?.pause();
  }

  resume(): void {
    this.#controller?.resume();
  }

  #refuse(error: TransportError): void {
    this.abort();
    this.#sink.failed(error);
  }
}
