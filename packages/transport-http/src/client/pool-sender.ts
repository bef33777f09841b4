import { TransportError } from '@tenon/mcp-protocol';
import type { Dispatcher, Pool } from 'undici';
import type { AnswerHeaders, AnswerSink, HttpExchange, HttpRequest, HttpSender } from './http-sender.js';

/**
 * A sender on a pool of connections that are kept alive. The pool grows as it must: requests are counted by whoever
 * sends them, and streams that last must not keep others waiting.
 */
export async function poolSender(origin: string, connectWaitMs: number): Promise<HttpSender> {
  const { Pool } = await import('undici');
  // Times are the session's to keep: a tool call may take long before it answers.
  const pool = new Pool(origin, {
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: { timeout: connectWaitMs },
  });
  return new PoolSender(pool);
}

class PoolSender implements HttpSender {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  request({ method, path, headers, body }: HttpRequest, sink: AnswerSink): HttpExchange {
    const exchange = new PoolExchange(sink);
    this.#pool.dispatch({ method, path, headers, body: body ?? null }, exchange);
    return exchange;
  }

  async close(): Promise<void> {
    await this.#pool.destroy();
  }
}

class PoolExchange implements Dispatcher.DispatchHandler, HttpExchange {
  readonly #sink: AnswerSink;
  #controller: Dispatcher.DispatchController | undefined;
  #aborted = false;

  constructor(sink: AnswerSink) {
    this.#sink = sink;
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
    if (!this.#aborted) this.#sink.end();
  }

  onResponseError(_: Dispatcher.DispatchController | undefined, error: Error): void {
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
