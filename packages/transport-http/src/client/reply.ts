import {
  type AnswerHeaders,
  type AnswerSink,
  type HttpExchange,
  type HttpSender,
  headerOf,
} from './http-sender.js';
import type { HeaderList } from './request-headers.js';
import type { Route } from './route.js';

/** Where an HTTP request goes, and by what. */
export interface Outlet {
  readonly sender: HttpSender;
  readonly route: Route;
}

/** One HTTP request as it is to be sent, as often as it is redirected. */
export interface Outbound {
  readonly method: 'POST' | 'GET' | 'DELETE';
  readonly body?: string | undefined;
  headers(): HeaderList;
}

/** One HTTP request and what comes of it, over the redirects on its way. */
export abstract class Reply implements AnswerSink {
  readonly #outlet: Outlet;
  #exchange: HttpExchange | undefined;
  #redirects = 0;
  #over = false;

  constructor(outlet: Outlet) {
    this.#outlet = outlet;
  }

  protected abstract readonly outbound: Outbound;
  protected abstract onHead(status: number, headers: AnswerHeaders): void;
  protected abstract onChunk(bytes: Uint8Array): void;
  protected abstract onEnd(): void;
  protected abstract onFailed(error: unknown): void;

  /** True once nothing more will come. */
  get over(): boolean {
    return this.#over;
  }

  /** Sends the request. */
  send(): void {
    const { outbound } = this;
    const { method, body } = outbound;
    let list: HeaderList;
    try {
      list = outbound.headers();
    } catch (error) {
      this.failed(error);
      return;
    }
    if (list instanceof Promise) {
      list.then(
        (ready) => this.#dispatch(method, body, ready),
        (error: unknown) => this.failed(error),
      );
    } else this.#dispatch(method, body, list);
  }

  /** Gives it up; nothing more is heard of it. */
  abort(): void {
    if (this.#over) return;
    this.#over = true;
    this.#exchange?.abort();
  }

  pause(): void {
    this.#exchange?.pause();
  }

  resume(): void {
    this.#exchange?.resume();
  }

  head(status: number, headers: AnswerHeaders): void {
    if (status < 300 || status >= 400) {
      this.onHead(status, headers);
      return;
    }
    const refusal = this.#outlet.route.redirect(status, headerOf(headers, 'location'), this.#redirects++);
    this.#exchange?.abort();
    if (refusal === undefined) this.send();
    else this.failed(refusal);
  }

  chunk(bytes: Uint8Array): void {
    if (!this.#over) this.onChunk(bytes);
  }

  end(): void {
    if (this.#over) return;
    this.#over = true;
    this.onEnd();
  }

  failed(error: unknown): void {
    if (this.#over) return;
    this.#over = true;
    this.onFailed(error);
  }

  #dispatch(method: Outbound['method'], body: string | undefined, headers: string[]): void {
    if (this.#over) return;
    const { sender, route } = this.#outlet;
    this.#exchange = sender.request({ method, path: route.path, headers, body: body ?? null }, this);
  }
}
