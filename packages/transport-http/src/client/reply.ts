import { type AuthorizedRequest, follow } from '@tenon/mcp-protocol';
import { Authorization, type Authorizing, HeldRefusal } from './authorizing.js';
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
  /** What authorizes requests, where something does. */
  readonly auth?: Authorizing | undefined;
}

/** One HTTP request as it is to be sent, as often as it is redirected. */
export interface Outbound {
  readonly method: 'POST' | 'GET' | 'DELETE';
  readonly body?: string | undefined;
  /** A refusal is the end of it: nobody is asked to sign in for its sake. */
  readonly resigned?: boolean;
  headers(): HeaderList;
}

/** One HTTP request and what comes of it, over the redirects on its way. */
export abstract class Reply implements AnswerSink {
  readonly #outlet: Outlet;
  #exchange: HttpExchange | undefined;
  #redirects = 0;
  #over = false;
  #authorization: Authorization | undefined;
  #held: HeldRefusal | undefined;

  constructor(outlet: Outlet) {
    this.#outlet = outlet;
  }

  protected abstract readonly outbound: Outbound;
  protected abstract onHead(status: number, headers: AnswerHeaders): void;
  protected abstract onChunk(bytes: Uint8Array): void;
  protected abstract onEnd(): void;
  protected abstract onFailed(error: unknown): void;
  /** It waits for somebody to sign in, or has done so and is sent again. */
  protected onHeld?(held: boolean): void;

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
      if (this.#outlet.auth !== undefined) {
        this.#authorization ??= new Authorization(this.#outlet.auth);
        list = authorized(list, this.#authorization, this.#request);
      }
    } catch (error) {
      this.failed(error);
      return;
    }
    if (list instanceof Promise) {
      follow(
        list,
        (ready) => this.#dispatch(method, body, ready),
        (error) => this.failed(error),
      );
    } else this.#dispatch(method, body, list);
  }

  /** Gives it up; nothing more is heard of it. */
  abort(): void {
    if (this.#over) return;
    this.#over = true;
    this.#authorization?.abandon();
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
      const authorization = this.#authorization;
      const isRefused = status === 401 || status === 403;
      if (isRefused && authorization !== undefined && this.outbound.resigned !== true) {
        this.#hold(new HeldRefusal(status, headers), authorization);
        return;
      }
      authorization?.answered(headers);
      this.onHead(status, headers);
      return;
    }
    const refusal = this.#outlet.route.redirect(status, headerOf(headers, 'location'), this.#redirects++);
    this.#exchange?.abort();
    if (refusal === undefined) this.send();
    else this.failed(refusal);
  }

  chunk(bytes: Uint8Array): void {
    if (this.#over) return;
    const held = this.#held;
    if (held === undefined) this.onChunk(bytes);
    else if (held.end === undefined && !held.keep(bytes)) {
      held.end = {};
      this.#exchange?.abort();
    }
  }

  end(): void {
    if (this.#over) return;
    if (this.#held !== undefined) {
      this.#held.end ??= {};
      return;
    }
    this.#over = true;
    this.onEnd();
  }

  failed(error: unknown): void {
    if (this.#over) return;
    if (this.#held !== undefined) {
      this.#held.end ??= { error };
      return;
    }
    this.#over = true;
    this.onFailed(error);
  }

  get #request(): AuthorizedRequest {
    const { route } = this.#outlet;
    return { method: this.outbound.method, url: route.origin + route.path };
  }

  /** Has it decided whether a refused request is sent again. */
  #hold(held: HeldRefusal, authorization: Authorization): void {
    this.#held = held;
    this.onHeld?.(true);
    follow(
      authorization.challenged(held.status, held.headers, this.#request),
      (again) => this.#decided(held, again),
      (error) => {
        this.#held = undefined;
        if (this.#over) return;
        this.#exchange?.abort();
        this.failed(error);
      },
    );
  }

  #decided(held: HeldRefusal, again: boolean): void {
    this.#held = undefined;
    if (this.#over) return;
    if (again) {
      if (held.end === undefined) this.#exchange?.abort();
      this.onHeld?.(false);
      this.send();
      return;
    }
    this.onHead(held.status, held.headers);
    for (const bytes of held.chunks) this.chunk(bytes);
    if (held.end === undefined) return;
    if ('error' in held.end) this.failed(held.end.error);
    else this.end();
  }

  #dispatch(method: Outbound['method'], body: string | undefined, headers: string[]): void {
    if (this.#over) return;
    const { sender, route } = this.#outlet;
    this.#exchange = sender.request({ method, path: route.path, headers, body: body ?? null }, this);
  }
}

/** The headers with those that authorize the request, as soon as both are there. */
function authorized(list: HeaderList, authorization: Authorization, request: AuthorizedRequest): HeaderList {
  if (list instanceof Promise) return list.then((ready) => authorization.complete(ready, request));
  return authorization.complete(list, request);
}
