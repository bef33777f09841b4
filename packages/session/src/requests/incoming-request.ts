import { type Clock, detach } from '@tenon/foundation';
import {
  type Connection,
  type Exchange,
  encodeParams,
  type Implementation,
  type NotificationMethod,
  type NotificationTypes,
  type ParamsOf,
  type Principal,
  type ProgressParams,
  type ProgressToken,
  type RequestId,
  type RequestMethod,
  type RequestStamp,
  type ResultOf,
  type Revision,
  SessionError,
  type Side,
  type UnknownObject,
} from '@tenon/mcp-protocol';
import { notificationFrame } from '@tenon/mcp-protocol/internal';
import type { SessionBounds } from '../limits/limits.js';
import { ProgressFlow } from './progress-flow.js';
import type { RequestOptions } from './request-options.js';
import { sessionIn } from './session-id.js';

/** The dependencies of a request. */
export interface RequestHost {
  readonly side: Side;
  readonly clock: Clock;
  readonly limits: SessionBounds;
  /** The conversation of the request; absent for a stateless exchange. */
  readonly conversation: Conversation | undefined;
}

/** Options of a request that may belong to a request of the peer. */
export interface RelatedRequestOptions extends RequestOptions {
  /** The peer's request it belongs to: both use the same exchange. */
  readonly request?: IncomingRequest;
}

/** The part of a conversation that a handler may use. */
export interface Conversation {
  /** The connection of the session. Default: there is no session. */
  readonly connection?: Pick<Connection, 'session'>;
  request<M extends RequestMethod>(
    method: M,
    params: ParamsOf<M>,
    options?: RelatedRequestOptions,
  ): Promise<ResultOf<M>>;
}

/** The content and the sender of a request. */
export interface RequestFacts {
  readonly id: RequestId;
  readonly method: string;
  /** Neutral params. */
  readonly params: UnknownObject;
  readonly revision: Revision;
  readonly from: RequestStamp;
}

/** Characters of the message of a progress notification; longer messages are cut. */
const longestMessage = 65_536;

/** A sender without client info and capabilities. */
export const unknownSender: RequestStamp = Object.freeze({ clientCapabilities: Object.freeze({}) });

// Beside the requests, not in them: a request without state costs nothing.
const states = new WeakMap<IncomingRequest, object>();

/** Texts that go with a call into its later rounds and into the runs of its saved call, by name. */
export type CarriedTexts = Record<string, string>;

/** One request of the peer, as logs and middleware have it. */
export interface CallRequest {
  readonly id: RequestId;
  readonly method: string;
  /** The caller, if the transport authenticated it. */
  readonly principal: Principal | undefined;
  /** The name and version that the peer says it has; never verified. */
  readonly client: Implementation | undefined;
  /** The id of the session, the same in all processes that serve it; undefined without a session. It may be a secret of the client. */
  readonly sessionId: string | undefined;
  /** The network address of the peer, if the transport has one. */
  readonly remoteAddress: string | undefined;
  /** `http`, `sse`, `stdio` or `memory`, or the name that a transport of your own has. */
  readonly transport: string | undefined;
  /** Aborts when the peer cancels the request, when its answer can no longer be delivered, or when this end closes. */
  readonly signal: AbortSignal;
}

/** One running request of the peer. Created per request, so its parts are created on first use. */
export class IncomingRequest implements CallRequest {
  readonly id: RequestId;
  readonly method: string;
  /** Neutral params; middleware may replace them. */
  params: UnknownObject;
  /** Neutral params, as they were received. */
  readonly received: UnknownObject;
  readonly revision: Revision;
  /** The info and capabilities of the sender, of the request or of the handshake. */
  readonly from: RequestStamp;
  readonly exchange: Exchange;
  readonly host: RequestHost;
  /** The time at which it began, until its outcome is reported; undefined while there is no listener. */
  begunAt: number | undefined;
  /** Its number among the requests of its call, if a handler had to know it. */
  round: number | undefined;
  /** The texts of the call, once they were read or set. */
  carried: CarriedTexts | undefined;
  /** Milliseconds that the handler may run, if they differ from the limit of all handlers. */
  patience: number | undefined;
  /** The handler that has not returned yet. `drop` is called if the request will have no answer. */
  awaitedHandler: { drop(): void } | undefined;
  /** The work of the handler that continues after the answer. */
  rest: Promise<unknown> | undefined;
  #awaited = 0;
  #controller: AbortController | undefined;
  #unlink: (() => void) | undefined;
  #cancelled = false;
  #stopped: Error | undefined;
  #finished = false;
  #reason: unknown;
  #flow: ProgressFlow | undefined;

  constructor(facts: RequestFacts, exchange: Exchange, host: RequestHost) {
    this.id = facts.id;
    this.method = facts.method;
    this.params = facts.params;
    this.received = facts.params;
    this.revision = facts.revision;
    this.from = facts.from;
    this.exchange = exchange;
    this.host = host;
    this.begunAt = undefined;
    this.round = undefined;
    this.carried = undefined;
    this.patience = undefined;
    this.awaitedHandler = undefined;
    this.rest = undefined;
  }

  get principal(): Principal | undefined {
    return this.exchange.facts.principal;
  }

  get client(): Implementation | undefined {
    return this.from.clientInfo;
  }

  get sessionId(): string | undefined {
    return sessionIn(this.host, this.revision);
  }

  get remoteAddress(): string | undefined {
    return this.exchange.facts.remoteAddress;
  }

  get transport(): string | undefined {
    return this.exchange.facts.transport;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.cancelled) this.#controller.abort(this.#abortReason());
      else if (this.#stopped !== undefined) this.#controller.abort(this.#stopped);
      else if (!this.#finished) this.#linkExchange();
    }
    return this.#controller.signal;
  }

  /** Values that middleware sets for the handler; see `Call`. */
  get state(): object {
    let state = states.get(this);
    if (state === undefined) {
      state = {};
      states.set(this, state);
    }
    return state;
  }

  /** True if no answer is expected any more. */
  get cancelled(): boolean {
    return this.#cancelled || this.exchange.gone === true;
  }

  /** True if the answer has been sent, or never will be. */
  get finished(): boolean {
    return this.#finished;
  }

  /** True while the handler waits for an answer of the peer. */
  get awaitsPeer(): boolean {
    return this.#awaited > 0;
  }

  get progressToken(): ProgressToken | undefined {
    const meta = this.params._meta as { progressToken?: ProgressToken } | undefined;
    return meta?.progressToken;
  }

  /** Returns the value of a trace or vendor key of the request's `_meta`. */
  meta(key: string): unknown {
    const meta = this.params._meta as UnknownObject | undefined;
    return meta !== undefined && Object.hasOwn(meta, key) ? meta[key] : undefined;
  }

  /**
   * Reports progress, if the caller requested it. Values that do not grow are dropped; of values that exceed
   * the rate limit only the newest is sent, as soon as the limit allows it, at the latest before the answer.
   * @returns a promise if the transport applies backpressure; it never rejects.
   */
  progress(progress: number, total?: number, message?: string): Promise<void> | undefined {
    const { progressToken } = this;
    if (progressToken === undefined || this.#finished || this.cancelled) return undefined;
    const params: { -readonly [K in keyof ProgressParams]: ProgressParams[K] } = { progressToken, progress };
    if (total !== undefined && Number.isFinite(total)) params.total = total;
    if (message !== undefined)
      params.message = message?.length > longestMessage ? message.slice(0, longestMessage) : message;
    this.#flow ??= new ProgressFlow(this);
    return this.#flow.admits(params) ? this.#sendNotification('notifications/progress', params) : undefined;
  }

  /**
   * Sends a notification that belongs to this request, ahead of its answer. Nothing is sent once it is finished.
   * @returns a promise if the transport applies backpressure; it never rejects, because a failing transport ends the
   * request itself.
   * @throws TypeError if the params cannot be written as JSON.
   */
  notify<M extends NotificationMethod>(method: M, params: NotificationTypes[M]): Promise<void> | undefined {
    return this.#finished || this.cancelled ? undefined : this.#sendNotification(method, params);
  }

  #sendNotification<M extends NotificationMethod>(
    method: M,
    params: NotificationTypes[M],
  ): Promise<void> | undefined {
    const row = this.revision.notifications[this.host.side].get(method);
    if (row === undefined) return undefined;
    const frame = notificationFrame(method, encodeParams(row, params as UnknownObject));
    try {
      return this.exchange.send(frame)?.catch(() => undefined);
    } catch {
      return undefined;
    }
  }

  /**
   * Sends the peer a request that belongs to this one and waits for its answer.
   * @throws SessionError if there is no conversation, if the revision has no such request, or if this one is
   * answered already.
   */
  async ask<M extends RequestMethod>(
    method: M,
    params: ParamsOf<M>,
    options: RequestOptions = {},
  ): Promise<ResultOf<M>> {
    const { conversation, side } = this.host;
    if (conversation === undefined || !this.revision.requests[side].has(method)) {
      const obstacle =
        conversation === undefined
          ? 'there is no session to ask in'
          : `the revision in use (${this.revision.id}) does not have it`;
      throw new SessionError('not-in-revision', `${method} cannot be sent here: ${obstacle}.`);
    }
    if (this.#finished) {
      throw new SessionError('closed', `${this.method} is answered already; ${method} was not sent.`, {
        unhandled: true,
      });
    }
    const signal =
      options.signal === undefined ? this.signal : AbortSignal.any([this.signal, options.signal]);
    return this.awaiting(conversation.request(method, params, { ...options, signal, request: this }));
  }

  /** Waits for an answer of the peer; this time does not count for the handler. */
  async awaiting<T>(answer: Promise<T>): Promise<T> {
    this.#awaited++;
    try {
      return await answer;
    } finally {
      this.#awaited--;
    }
  }

  /** Marks the request as cancelled. */
  cancel(reason?: unknown): void {
    if (this.#finished || this.#cancelled) return;
    this.#cancelled = true;
    this.#reason = reason;
    this.#flow?.end();
    // Its handler may run for long: the request holds nothing of it any more.
    this.#unlink?.();
    this.#controller?.abort(this.#abortReason());
  }

  /** Stops the handler. Unlike a cancelled request, it is answered with the result of its handler. */
  stop(reason: Error): void {
    if (this.#finished || this.#cancelled || this.#stopped !== undefined) return;
    this.#stopped = reason;
    this.#controller?.abort(reason);
  }

  /** Returns the reason for which the handler was stopped, if its error follows from that. */
  stoppedBy(thrown: unknown): Error | undefined {
    if (this.#stopped === undefined || !(thrown instanceof Error)) return undefined;
    const isOurs = thrown === this.#stopped || thrown.cause === this.#stopped || thrown.name === 'AbortError';
    return isOurs ? this.#stopped : undefined;
  }

  /** Ends the request; progress and notifications stop. */
  finish(): void {
    const last = this.#flow?.end();
    if (last !== undefined) detach(this.notify('notifications/progress', last), () => {});
    this.#finished = true;
    this.#unlink?.();
  }

  #abortReason(): Error {
    if (this.#reason instanceof Error) return this.#reason;
    const text = typeof this.#reason === 'string' ? `: ${this.#reason.slice(0, 200)}` : '.';
    return new SessionError('cancelled', `The peer cancelled ${this.method}${text}`);
  }

  #linkExchange(): void {
    const outer = this.exchange.signal;
    if (outer === undefined) return;
    const abort = () => this.cancel(outer.reason);
    outer.addEventListener('abort', abort, { once: true });
    this.#unlink = () => outer.removeEventListener('abort', abort);
  }
}
