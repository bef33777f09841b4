import { type Answer, type Clock, type Exchange, failedAnswer, type Principal } from '@tenon/mcp-protocol';
import type { Application } from './application.js';
import { expiryOf } from './expiry.js';
import { Heartbeat } from './heartbeat.js';
import type { HttpCall } from './http-call.js';
import type { HttpLimits } from './http-limits.js';
import { type ExchangeHost, StatelessExchange } from './stateless-exchange.js';

/** All exchanges outside sessions that are being answered. */
export class Exchanges implements ExchangeHost {
  readonly #limits: HttpLimits;
  readonly #clock: Clock;
  /** Hears of what goes wrong here. Does not throw. */
  readonly onError: Application['onError'];
  readonly #heartbeat: Heartbeat;
  readonly #running = new Set<StatelessExchange>();
  readonly #endings = new Set<() => void>();
  #emptied: (() => void) | undefined;

  constructor(limits: HttpLimits, clock: Clock, onError: Application['onError']) {
    this.#limits = limits;
    this.onError = onError;
    this.#clock = clock;
    this.#heartbeat = new Heartbeat(clock, limits.keepAlive);
  }

  onEnding(task: () => void): () => void {
    this.#endings.add(task);
    return () => this.#endings.delete(task);
  }

  expiryOf(principal: Principal | undefined): number | undefined {
    return expiryOf(principal, this.#clock);
  }

  /** The exchange of one call. */
  begin(call: HttpCall, principal: Principal | undefined): StatelessExchange {
    return new StatelessExchange(call, principal, this);
  }

  /** Answers a message in its exchange. */
  run(
    exchange: StatelessExchange,
    value: unknown,
    answer: (value: unknown, exchange: Exchange) => Answer,
  ): void {
    const given = answer(value, exchange);
    if (given instanceof Promise) this.#wait(exchange, given, value);
    else if (given === undefined) exchange.accept();
    else exchange.finish(given);
  }

  /** Ends what listens, waits for the rest as long as the limit allows, then cancels it. */
  async drain(): Promise<void> {
    for (const end of [...this.#endings]) end();
    let stop = () => {};
    await new Promise<void>((resolve) => {
      this.#emptied = resolve;
      stop = this.#clock.schedule(resolve, this.#limits.drain, true);
      if (this.#running.size === 0) resolve();
    });
    stop();
    for (const exchange of [...this.#running]) exchange.cutOff();
  }

  #wait(exchange: StatelessExchange, answer: Promise<string | undefined>, message: unknown): void {
    this.#running.add(exchange);
    this.#heartbeat.add(exchange);
    exchange.watch();
    const failed = (error: unknown) => {
      this.#left(exchange);
      this.#broken(exchange, error, message);
    };
    answer.then((frame) => {
      try {
        this.#left(exchange);
        exchange.finish(frame);
      } catch (error) {
        failed(error);
      }
    }, failed);
  }

  #left(exchange: StatelessExchange): void {
    if (!this.#running.delete(exchange)) return;
    this.#heartbeat.delete(exchange);
    if (this.#running.size === 0) this.#emptied?.();
  }

  /** The application failed, or what it answered cannot be sent. */
  #broken(exchange: StatelessExchange, error: unknown, message: unknown): void {
    this.onError(error, 'http');
    try {
      exchange.refused(500);
      exchange.finish(failedAnswer(message));
    } catch (again) {
      this.onError(again, 'http');
    }
  }
}
