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
 * A sender on a pool of connections that are kept alive. The pool grows as it must: requests are counted by whoever
 * sends them, and streams that last must not keep others waiting.
 */
export const openSender: OpenSender = async (origin, { connectWaitMs }) => {
  const { buildConnector, Client } = await import('undici');
  // One for all of them: it keeps TLS sessions.
  const connect = buildConnector({ timeout: connectWaitMs });
  // Times are the session's to keep: a tool call may take long before it answers.
  return new PoolSender(() => new Client(origin, { headersTimeout: 0, bodyTimeout: 0, connect }));
};

/**
 * Not the Pool of undici: whoever is answered mostly asks the next thing at once, when the connection of the answer is not
 * free yet in the eyes of a Pool. It opens twice as many as are in use, and looks through all of them for each request.
 */
class PoolSender implements HttpSender {
  readonly #open: () => Client;
  readonly #all: Client[] = [];
  /** Those whose last exchange is over, the one that was used last at the end. */
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
    // It tells whoever still sends something that this is over.
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
    if (this.#aborted) controller.abort(new TransportError('The request was given up.'));
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: AnswerHeaders): void {
    if (this.#aborted || status < 200) return;
    const encoding = headers['content-encoding'];
    if (encoding === undefined || encoding === 'identity') {
      this.#sink.head(status, headers);
      return;
    }
    const told = String(encoding).slice(0, 40);
    const message = `The server compressed its answer (${told}) without being asked to; it cannot be read.`;
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
    // It has to connect anew, so others are used first.
    this.#free.unshift(this.#client);
    if (!this.#aborted) this.#sink.failed(error);
  }

  abort(): void {
    if (this.#aborted) return;
    this.#aborted = true;
    this.#controller?.abort(new TransportError('The request was given up.'));
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
