import {
  detach,
  type Exchange,
  type HttpRefusal,
  httpStatusOf,
  type Principal,
  SessionError,
} from '@tenon/mcp-protocol';
import { CallFacts } from './call-facts.js';
import { eventText, keepAliveText, streamHeaders } from './event-text.js';
import type { Beating } from './heartbeat.js';
import type { HttpCall } from './http-call.js';
import { errorHeaders, jsonHeaders, leaving, refuse } from './refusal.js';
import { demandOf, sendDemand } from './scopes-lacking.js';
import { callerOf } from './sender.js';

/** What all stateless exchanges of one endpoint share. */
export interface ExchangeHost {
  onError(error: unknown, where: string): void;
  /** Runs before the endpoint ends. */
  onEnding(task: () => void): () => void;
  /** What the clock of the endpoint shows when that expires which a caller has shown. */
  expiryOf(principal: Principal | undefined): number | undefined;
}

/**
 * One POST that belongs to no session, from request to answer: JSON if nothing goes ahead of the answer, else an event
 * stream. That the client is gone cancels it. Made per request, so it creates nothing before it is asked for.
 */
export class StatelessExchange extends CallFacts implements Exchange, Beating {
  readonly #host: ExchangeHost;
  #status = 200;
  #wait: number | undefined;
  #demand: HttpRefusal | undefined;
  #expiry: { readonly at: number; readonly end: () => void } | undefined;
  #streaming = false;
  #quiet = false;
  #gone = false;
  #controller: AbortController | undefined;
  #caller: string | undefined;

  constructor(call: HttpCall, principal: Principal | undefined, host: ExchangeHost) {
    super(call, principal);
    this.#host = host;
  }

  get gone(): boolean {
    return this.#gone;
  }

  // Kept: the address of a connection that is closed is not known any more.
  get caller(): string | undefined {
    this.#caller ??= callerOf(this.principal, this.call.remoteAddress);
    return this.#caller;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#gone) this.#controller.abort(disconnected());
    }
    return this.#controller.signal;
  }

  send(frame: string): Promise<void> | undefined {
    if (this.#gone || this.call.closed) return undefined;
    this.#begin();
    this.#quiet = false;
    return this.call.write(eventText(frame));
  }

  onEnding(task: () => void): () => void {
    const forget = this.#host.onEnding(task);
    const at = this.#host.expiryOf(this.principal);
    if (at !== undefined) this.#expiry = { at, end: task };
    return forget;
  }

  refused(status: number): void {
    this.#status = status;
  }

  failed(code: number, wait?: number): void {
    this.#status = httpStatusOf(code);
    this.#wait = wait;
  }

  scopesLacking(scopes: readonly string[]): void {
    this.#demand = demandOf(this.call, scopes, this.principal);
  }

  /** Sends the answer; undefined when there is none to a request that was cancelled. */
  finish(frame: string | undefined): void {
    if (this.#gone || this.call.closed) return;
    if (this.#streaming) this.call.end(frame === undefined ? undefined : eventText(frame));
    else if (frame === undefined) this.accept();
    else if (this.#status === 200 && this.#demand === undefined) this.call.send(200, jsonHeaders, frame);
    // A batch is answered whatever became of its requests.
    else if (frame.startsWith('[')) this.call.send(200, jsonHeaders, frame);
    else if (this.#demand !== undefined) sendDemand(this.call, this.#demand, frame);
    else this.call.send(this.#status, errorHeaders(this.#status, this.#wait), frame);
  }

  /** Says that a message which is no request was taken, or was not. */
  accept(): void {
    this.call.send(this.#status === 200 ? 202 : this.#status, {});
  }

  /** Takes the end of the connection for a cancellation from now on. */
  watch(): void {
    this.call.onGone(() => this.disconnect());
  }

  /** Cancels: nobody receives the answer. */
  disconnect(reason?: Error): void {
    this.#gone = true;
    this.#controller?.abort(reason ?? disconnected());
  }

  /** Cancels because the endpoint ends, and tells the client. */
  cutOff(): void {
    this.disconnect(new SessionError('closed', 'The server is closing.'));
    if (this.#streaming) this.call.end();
    else refuse(this.call, leaving);
  }

  beat(now: number, isDue: boolean): void {
    if (this.call.closed) return;
    if (this.#expiry !== undefined && now >= this.#expiry.at) {
      const { end } = this.#expiry;
      this.#expiry = undefined;
      end();
      return;
    }
    if (!isDue) return;
    if (this.#quiet) {
      this.#begin();
      detach(this.call.write(keepAliveText), (error) => this.#host.onError(error, 'http'));
    }
    this.#quiet = true;
  }

  #begin(): void {
    if (this.#streaming) return;
    this.#streaming = true;
    this.call.open(streamHeaders);
  }
}

function disconnected(): Error {
  return new Error('The client closed the connection.');
}
