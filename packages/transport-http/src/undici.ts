import { detach } from '@tenon/foundation';
import { TransportError } from '@tenon/mcp-protocol';
import { environmentProxy } from '@tenon/mcp-protocol/internal';
import type { Dispatcher } from 'undici';
import type {
  AnswerHeaders,
  AnswerSink,
  HttpSender,
  OpenSender,
  RequestControl,
  SenderRequest,
} from './client/sender/http-sender.js';
import {
  type ProxiedServer,
  proxiedClient,
  proxyFailure,
  type RequestClient,
} from './client/sender/proxied-client.js';

/**
 * Makes a sender on a pool of connections that are kept alive. The pool has no limit of its own: its callers limit their
 * requests, and long streams must not block other requests. The variables `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` select a
 * proxy.
 */
export const openSender: OpenSender = async (origin, use) => {
  const proxy = environmentProxy(new URL(origin));
  const undici = await import('undici');
  if (proxy !== undefined) {
    const server = { origin, proxy };
    return new PoolSender(() => proxiedClient(undici, server, use), server);
  }
  const { buildConnector, Client } = undici;
  // All clients share one connector, because it caches TLS sessions.
  const connect = buildConnector({ timeout: use.connectWaitMs });
  // The session sets the time limits: a tool call may take long before it answers.
  return new PoolSender(() => new Client(origin, { headersTimeout: 0, bodyTimeout: 0, connect }));
};

/** The state of a pool that its requests change. */
interface PoolState {
  /** Idle clients, the one used last at the end. */
  readonly free: RequestClient[];
  /** Undefined without a proxy. */
  readonly proxied: ProxiedServer | undefined;
}

/**
 * A pool of undici clients. undici's own Pool does not fit: a caller mostly sends its next request when an answer arrives,
 * and Pool does not count the connection of that answer as free yet. It opens twice as many connections as are in use, and
 * searches through all of them for each request.
 */
class PoolSender implements HttpSender {
  readonly #open: () => RequestClient;
  readonly #all: RequestClient[] = [];
  readonly #shared: PoolState;
  #closed = false;

  constructor(open: () => RequestClient, proxied?: ProxiedServer) {
    this.#open = open;
    this.#shared = { free: [], proxied };
  }

  request(request: SenderRequest, sink: AnswerSink): RequestControl {
    const client = this.#shared.free.pop() ?? this.#grow();
    const control = new PoolRequest(sink, client, this.#shared);
    client.dispatch(request, control);
    return control;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(this.#all.map((client) => client.destroy()));
  }

  #grow(): RequestClient {
    const client = this.#open();
    this.#all.push(client);
    // Requests that are still sent fail with an error that says the client is closed.
    if (this.#closed) detach(client.destroy(), () => {});
    return client;
  }
}

class PoolRequest implements Dispatcher.DispatchHandler, RequestControl {
  readonly #sink: AnswerSink;
  readonly #client: RequestClient;
  readonly #shared: PoolState;
  #controller: Dispatcher.DispatchController | undefined;
  #aborted = false;

  constructor(sink: AnswerSink, client: RequestClient, shared: PoolState) {
    this.#sink = sink;
    this.#client = client;
    this.#shared = shared;
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
    this.#shared.free.push(this.#client);
    if (!this.#aborted) this.#sink.end();
  }

  onResponseError(_: Dispatcher.DispatchController | undefined, error: Error): void {
    // This client has to connect again, so others are used first.
    this.#shared.free.unshift(this.#client);
    if (this.#aborted) return;
    const { proxied } = this.#shared;
    this.#sink.failed(proxied === undefined ? error : proxyFailure(error, proxied));
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
