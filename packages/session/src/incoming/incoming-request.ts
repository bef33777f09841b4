import {
  type Exchange,
  encodeParams,
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
import { detach, notificationFrame } from '@tenon/mcp-protocol/internal';
import type { SessionLimits } from '../budget/limits.js';
import type { Clock } from '../clock.js';
import type { RequestOptions } from '../outgoing/request-options.js';
import { ProgressFlow } from './progress-flow.js';

/** What a request needs of the end that handles it. */
export interface RequestHost {
  readonly side: Side;
  readonly clock: Clock;
  readonly limits: SessionLimits;
  /** The conversation the request came in on; absent for a stateless exchange that has none. */
  readonly conversation: Conversation | undefined;
}

/** How a request is sent that may belong to a request of the peer. */
export interface AskOptions extends RequestOptions {
  /** The peer's request it belongs to: it is sent where that one is answered. */
  readonly request?: IncomingRequest;
}

/** What a handler may do beyond answering, where a conversation is there to do it in. */
export interface Conversation {
  request<M extends RequestMethod>(
    method: M,
    params: ParamsOf<M>,
    options?: AskOptions,
  ): Promise<ResultOf<M>>;
}

/** What a request says, and who sent it. */
export interface RequestFacts {
  readonly id: RequestId;
  readonly method: string;
  /** Neutral params. */
  readonly params: UnknownObject;
  readonly revision: Revision;
  readonly from: RequestStamp;
}

/** Characters of the message of a progress notification; the rest is cut. */
const longestMessage = 65_536;

/** A sender that said nothing of itself. */
export const nobody: RequestStamp = Object.freeze({ clientCapabilities: Object.freeze({}) });

/** One request of the peer while it is handled. Made per request, so it creates nothing before it is asked for. */
export class IncomingRequest {
  readonly id: RequestId;
  readonly method: string;
  /** Neutral params; middleware that hands on others replaces them. */
  params: UnknownObject;
  readonly revision: Revision;
  /** What its sender said of itself: with the request, or in the handshake. */
  readonly from: RequestStamp;
  readonly exchange: Exchange;
  readonly host: RequestHost;
  /** Milliseconds its handler may work, where that differs from what all may. */
  patience: number | undefined;
  /** What waits for its answer while its handler works, where anything is to be told that none will come. */
  flight: { drop(): void } | undefined;
  /** What its handler still does when the request is answered without waiting for it. */
  rest: Promise<unknown> | undefined;
  #asks = 0;
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
    this.revision = facts.revision;
    this.from = facts.from;
    this.exchange = exchange;
    this.host = host;
    this.patience = undefined;
    this.flight = undefined;
    this.rest = undefined;
  }

  /** Who is calling, where the carrier knows. */
  get principal(): Principal | undefined {
    return this.exchange.facts.principal;
  }

  /** Aborts when the peer cancels the request, nobody can receive its answer any more, or this end closes. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.cancelled) this.#controller.abort(this.#abortReason());
      else if (this.#stopped !== undefined) this.#controller.abort(this.#stopped);
      else if (!this.#finished) this.#linkExchange();
    }
    return this.#controller.signal;
  }

  /** True once no answer is wanted. */
  get cancelled(): boolean {
    return this.#cancelled || this.exchange.gone === true;
  }

  /** True once the answer is on its way, or will never be. */
  get finished(): boolean {
    return this.#finished;
  }

  /** True while its handler waits for an answer of the peer. */
  get asking(): boolean {
    return this.#asks > 0;
  }

  get progressToken(): ProgressToken | undefined {
    const meta = this.params._meta as { progressToken?: ProgressToken } | undefined;
    return meta?.progressToken;
  }

  /** Value of a trace or vendor key of the request's `_meta`. */
  meta(key: string): unknown {
    const meta = this.params._meta as UnknownObject | undefined;
    return meta !== undefined && Object.hasOwn(meta, key) ? meta[key] : undefined;
  }

  /**
   * Reports progress, if the caller asked for it. Values that do not grow are dropped; of those that come faster than
   * the limit only the newest goes out, as soon as the limit allows it, at the latest ahead of the answer.
   * @returns a promise where the carrier asks for patience; it never rejects.
   */
  progress(progress: number, total?: number, message?: string): Promise<void> | undefined {
    const { progressToken } = this;
    if (progressToken === undefined || this.#finished || this.cancelled) return undefined;
    const params: { -readonly [K in keyof ProgressParams]: ProgressParams[K] } = { progressToken, progress };
    if (total !== undefined && Number.isFinite(total)) params.total = total;
    if (message !== undefined)
      params.message = message?.length > longestMessage ? message.slice(0, longestMessage) : message;
    this.#flow ??= new ProgressFlow(this);
    return this.#flow.admits(params) ? this.#tell('notifications/progress', params) : undefined;
  }

  /**
   * Sends a notification that belongs to this request, ahead of its answer. Nothing is sent once it is finished.
   * @returns a promise where the carrier asks for patience; it never rejects, for a carrier that fails ends the
   * request besides.
   * @throws TypeError when the params cannot be written as JSON.
   */
  notify<M extends NotificationMethod>(method: M, params: NotificationTypes[M]): Promise<void> | undefined {
    return this.#finished || this.cancelled ? undefined : this.#tell(method, params);
  }

  #tell<M extends NotificationMethod>(method: M, params: NotificationTypes[M]): Promise<void> | undefined {
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
   * @throws SessionError when there is no conversation to ask in, the revision has no such request, or this one is
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
      throw new SessionError('closed', `${this.method} is answered already; ${method} was not sent.`);
    }
    const signal =
      options.signal === undefined ? this.signal : AbortSignal.any([this.signal, options.signal]);
    return this.awaiting(conversation.request(method, params, { ...options, signal, request: this }));
  }

  /** Waits for something of the peer: time that its handler does not work. */
  async awaiting<T>(answer: Promise<T>): Promise<T> {
    this.#asks++;
    try {
      return await answer;
    } finally {
      this.#asks--;
    }
  }

  /** Marks the request as no longer wanted. */
  cancel(reason?: unknown): void {
    if (this.#finished || this.#cancelled) return;
    this.#cancelled = true;
    this.#reason = reason;
    this.#flow?.end();
    // What still works for it may work for long: nothing of it is held any more.
    this.#unlink?.();
    this.#controller?.abort(this.#abortReason());
  }

  /** Has its handler stop. Other than one that is cancelled, it is answered with whatever its handler ends with. */
  stop(reason: Error): void {
    if (this.#finished || this.#cancelled || this.#stopped !== undefined) return;
    this.#stopped = reason;
    this.#controller?.abort(reason);
  }

  /** Why its handler was to stop, if that is what made it throw. */
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
    const told = typeof this.#reason === 'string' ? `: ${this.#reason.slice(0, 200)}` : '.';
    return new SessionError('cancelled', `The peer cancelled ${this.method}${told}`);
  }

  #linkExchange(): void {
    const outer = this.exchange.signal;
    if (outer === undefined) return;
    const abort = () => this.cancel(outer.reason);
    outer.addEventListener('abort', abort, { once: true });
    this.#unlink = () => outer.removeEventListener('abort', abort);
  }
}
