import { type Clock, detach, withinTime } from '@tenon/foundation';
import { ErrorCode, type Principal } from '@tenon/mcp-protocol';
import { callerName } from '@tenon/mcp-protocol/internal';
import { expiryOf } from '../admission/sender.js';
import type { Application } from '../call/application.js';
import { eventText, keepAliveText, streamHeaders } from '../call/event-text.js';
import { Heartbeat } from '../call/heartbeat.js';
import type { HttpCall } from '../call/http-call.js';
import type { HttpBounds } from '../call/http-limits.js';
import type { AnswerStream, ExchangePolicy, HttpExchange } from './http-exchange.js';
import { httpStatusOf } from './http-status.js';

/** The rules of a lifecycle for requests outside sessions. */
export type LifecycleRules = Pick<ExchangePolicy, 'cancelsOnClose' | 'statusOf'>;

/** https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#cancellation */
export const statelessRules: LifecycleRules = { cancelsOnClose: true, statusOf: httpStatusOf };

/** In these revisions a lost connection does not cancel a request, and few errors have their own HTTP status. */
export const handshakeRules: LifecycleRules = {
  cancelsOnClose: false,
  statusOf: (code) =>
    code === ErrorCode.rateLimited || code === ErrorCode.overloaded ? httpStatusOf(code) : 200,
};

export interface ExchangesSettings {
  readonly limits: HttpBounds;
  readonly clock: Clock;
  readonly onError: Application['onError'];
}

/** All running exchanges outside sessions, of the revisions of one lifecycle. */
export class Exchanges implements ExchangePolicy {
  readonly answersOnly = false;
  readonly keepsStreams = false;
  readonly cancelsOnClose: boolean;
  readonly statusOf: ExchangePolicy['statusOf'];
  readonly onError: ExchangePolicy['onError'];
  readonly callerOf: ExchangePolicy['callerOf'] = callerName;
  readonly #limits: HttpBounds;
  readonly #clock: Clock;
  readonly #heartbeat: Heartbeat;
  readonly #running = new Set<HttpExchange>();
  readonly #endings = new Set<() => void>();
  #emptied: (() => void) | undefined;

  constructor({ limits, clock, onError }: ExchangesSettings, rules: LifecycleRules) {
    this.cancelsOnClose = rules.cancelsOnClose;
    this.statusOf = rules.statusOf;
    this.onError = onError;
    this.#limits = limits;
    this.#clock = clock;
    this.#heartbeat = new Heartbeat(clock, limits.keepAlive);
  }

  openStream(call: HttpCall): ResponseStream {
    return new ResponseStream(call, this.onError);
  }

  onEnding(task: () => void): () => void {
    this.#endings.add(task);
    return () => this.#endings.delete(task);
  }

  expiryOf(principal: Principal | undefined): number | undefined {
    return expiryOf(principal, this.#clock);
  }

  entered(exchange: HttpExchange): void {
    this.#running.add(exchange);
    this.#heartbeat.add(exchange);
  }

  left(exchange: HttpExchange): void {
    if (!this.#running.delete(exchange)) return;
    this.#heartbeat.delete(exchange);
    if (this.#running.size === 0) this.#emptied?.();
  }

  /** Ends listen streams, waits for the other requests up to the limit, then ends those too. */
  async drain(): Promise<void> {
    for (const end of [...this.#endings]) end();
    const emptied = new Promise<void>((resolve) => {
      this.#emptied = resolve;
      if (this.#running.size === 0) resolve();
    });
    await withinTime(emptied, { clock: this.#clock, ms: this.#limits.drain, holds: true });
    for (const exchange of [...this.#running]) exchange.cutOff();
  }
}

/** The event stream of a POST outside sessions. It ends with its connection, and cannot be resumed. */
export class ResponseStream implements AnswerStream {
  readonly #call: HttpCall;
  readonly #onError: ExchangePolicy['onError'];

  constructor(call: HttpCall, onError: ExchangePolicy['onError']) {
    this.#call = call;
    this.#onError = onError;
    call.open(streamHeaders);
  }

  send(frame: string): Promise<void> | undefined {
    return this.#call.write(eventText(frame));
  }

  finish(frame: string | undefined): void {
    this.#call.end(frame === undefined ? undefined : eventText(frame));
  }

  keepOpen(): void {
    detach(this.#call.write(keepAliveText), (error) => this.#onError(error, 'http'));
  }
}
