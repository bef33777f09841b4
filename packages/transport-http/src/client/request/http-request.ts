import { follow } from '@tenon/foundation';
import type { AuthorizedRequest, TransportError } from '@tenon/mcp-protocol';
import {
  type AnswerHeaders,
  type AnswerSink,
  type HttpSender,
  headerOf,
  type RequestControl,
} from '../sender/http-sender.js';
import { isUnreachable, transportFailure } from '../sender/transport-failure.js';
import { type AuthorizationPorts, HeldRefusal, RequestAuthorization } from './authorization.js';
import type { HeaderList } from './request-headers.js';
import type { RequestRoute } from './route.js';

/** The sender, route, headers and authorizer of a connection's HTTP requests. */
export interface RequestPorts {
  readonly sender: HttpSender;
  readonly route: RequestRoute;
  /** Authorizes requests; undefined if the connection has no authorizer. */
  readonly auth?: AuthorizationPorts | undefined;
  /** Records whether requests reach the server. */
  readonly reachability?: Reachability | undefined;
}

/** The content of one HTTP request. The headers are read again each time the request is sent. */
export interface Outbound {
  readonly method: 'POST' | 'GET' | 'DELETE';
  readonly body?: string | undefined;
  /** True if a refusal must not start a sign-in. */
  readonly noSignIn?: boolean;
  headers(): HeaderList;
}

/** Receives the body of one response. Nothing is called after `end` or `failed`. */
export type BodySink = Pick<AnswerSink, 'chunk' | 'end' | 'failed'>;

/** Receives the final response to one HTTP request, after redirects and sign-in. */
export interface ResponseSink {
  /** Returns the receiver of the body; undefined if the request was aborted. */
  head(status: number, headers: AnswerHeaders): BodySink | undefined;
  /** Called when the request has failed before the head of its response. */
  failed(error: unknown): void;
  /** Called with true when the authorizer has to decide about a refusal, and with false when the request is sent again. */
  authorizing?(waiting: boolean): void;
}

/** Sends one HTTP request, and repeats it for redirects and authorization. */
export class HttpRequest implements AnswerSink {
  /** True after the response has ended or failed, or the request was aborted. Set in this class only. */
  over = false;
  readonly #ports: RequestPorts;
  readonly #outbound: Outbound;
  readonly #sink: ResponseSink;
  #control: RequestControl | undefined;
  #redirects = 0;
  #body: BodySink | undefined;
  #authorization: RequestAuthorization | undefined;

  constructor(ports: RequestPorts, outbound: Outbound, sink: ResponseSink) {
    this.#ports = ports;
    this.#outbound = outbound;
    this.#sink = sink;
  }

  /** Sends the request. Errors of the application's headers or of the authorizer are passed to `failed` of the sink. */
  send(): void {
    let list: HeaderList;
    try {
      list = this.#outbound.headers();
      const { auth } = this.#ports;
      if (auth !== undefined) {
        this.#authorization ??= new RequestAuthorization(auth);
        list = this.#authorization.complete(list, this.#authorized());
      }
    } catch (error) {
      this.failed(error);
      return;
    }
    if (list instanceof Promise) {
      follow(
        list,
        (ready) => this.#dispatch(ready),
        (error) => this.failed(error),
      );
    } else this.#dispatch(list);
  }

  /** Aborts the request. Its sink is not called any more. */
  abort(): void {
    if (this.over) return;
    this.over = true;
    this.#authorization?.abandon();
    this.#control?.abort();
  }

  pause(): void {
    this.#control?.pause();
  }

  resume(): void {
    this.#control?.resume();
  }

  head(status: number, headers: AnswerHeaders): void {
    const { reachability } = this.#ports;
    // Checked here to save a call on the path of every request.
    if (reachability?.failure !== undefined) reachability.reached();
    if (status >= 300 && status < 400) {
      this.#redirect(status, headers);
      return;
    }
    const authorization = this.#authorization;
    if (authorization !== undefined) {
      if ((status === 401 || status === 403) && this.#outbound.noSignIn !== true) {
        this.#challenge(new HeldRefusal(status, headers), authorization);
        return;
      }
      authorization.answered(headers);
    }
    this.#body = this.#sink.head(status, headers);
  }

  chunk(bytes: Uint8Array): void {
    if (this.over) return;
    const held = this.#authorization?.held;
    if (held === undefined) this.#body?.chunk(bytes);
    else if (held.end === undefined && !held.keep(bytes)) {
      held.end = {};
      this.#control?.abort();
    }
  }

  end(): void {
    if (this.over) return;
    const held = this.#authorization?.held;
    if (held !== undefined) {
      held.end ??= {};
      return;
    }
    this.over = true;
    this.#body?.end();
  }

  failed(error: unknown): void {
    if (this.over) return;
    const held = this.#authorization?.held;
    if (held !== undefined) {
      held.end ??= { error };
      return;
    }
    this.over = true;
    if (this.#body === undefined) this.#ports.reachability?.failed(error);
    (this.#body ?? this.#sink).failed(error);
  }

  #authorized(): AuthorizedRequest {
    const { route } = this.#ports;
    return { method: this.#outbound.method, url: route.origin + route.path };
  }

  #dispatch(headers: string[]): void {
    if (this.over) return;
    const { sender, route } = this.#ports;
    const { method, body = null } = this.#outbound;
    this.#control = sender.request({ method, path: route.path, headers, body }, this);
  }

  #redirect(status: number, headers: AnswerHeaders): void {
    const problem = this.#ports.route.redirect(status, headerOf(headers, 'location'), this.#redirects++);
    this.#control?.abort();
    if (problem === undefined) this.send();
    else this.failed(problem);
  }

  /** Holds a refusal until the authorizer has decided whether to send the request again. */
  #challenge(held: HeldRefusal, authorization: RequestAuthorization): void {
    authorization.held = held;
    this.#sink.authorizing?.(true);
    follow(
      authorization.challenged(held, this.#authorized()),
      (again) => {
        authorization.held = undefined;
        if (this.over) return;
        if (again) this.#sendAgain(held);
        else this.#passOn(held);
      },
      (error) => {
        authorization.held = undefined;
        if (this.over) return;
        this.#control?.abort();
        this.failed(error);
      },
    );
  }

  #sendAgain(held: HeldRefusal): void {
    if (held.end === undefined) this.#control?.abort();
    this.#sink.authorizing?.(false);
    this.send();
  }

  #passOn(held: HeldRefusal): void {
    this.#body = this.#sink.head(held.status, held.headers);
    for (const bytes of held.chunks) this.chunk(bytes);
    if (held.end === undefined) return;
    if ('error' in held.end) this.failed(held.end.error);
    else this.end();
  }
}

/** Tracks whether the server of one connection can be reached, by the results of its requests. */
export class Reachability {
  /** The error that shows the server cannot be reached; undefined while it can be. */
  failure: TransportError | undefined;
  /** Called when `failure` is set or cleared. */
  onChange: ((failure: TransportError | undefined) => void) | undefined;
  readonly #origin: string;

  constructor(origin: string) {
    this.#origin = origin;
  }

  /** Called when any response has arrived. */
  reached(): void {
    if (this.failure === undefined) return;
    this.failure = undefined;
    this.onChange?.(undefined);
  }

  /** Called when a request has failed without a response. */
  failed(error: unknown): void {
    if (this.failure !== undefined || !isUnreachable(error)) return;
    this.failure = transportFailure(error, this.#origin);
    this.onChange?.(this.failure);
  }
}
