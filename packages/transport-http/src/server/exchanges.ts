import {
  type Answer,
  type Clock,
  ErrorCode,
  type Exchange,
  errorFrame,
  type Principal,
} from '@tenon/mcp-protocol';
import { Heartbeat } from './heartbeat.js';
import type { HttpCall } from './http-call.js';
import type { HttpLimits } from './http-limits.js';
import { idOf } from './refusal.js';
import { type ExchangeHost, StatelessExchange } from './stateless-exchange.js';

/** All exchanges outside sessions that are being answered. */
export class Exchanges implements ExchangeHost {
  readonly #limits: HttpLimits;
  readonly #clock: Clock;
  readonly #heartbeat: Heartbeat;
  readonly #running = new Set<StatelessExchange>();
  readonly #endings = new Set<() => void>();
  #emptied: (() => void) | undefined;

  constructor(limits: HttpLimits, clock: Clock) {
    this.#limits = limits;
    this.#clock = clock;
    this.#heartbeat = new Heartbeat(clock, limits.keepAlive);
  }

  /** Exchanges that wait for their answer. */
  get size(): number {
    return this.#running.size;
  }

  onEnding(task: () => void): () => void {
    this.#endings.add(task);
    return () => this.#endings.delete(task);
  }

  /** The exchange of one call. */
  begin(call: HttpCall, principal: Principal | undefined): StatelessExchange {
    return new StatelessExchange(call, principal, this);
  }

  /** Answers a message in its exchange, or says that too many are being answered. */
  run(
    exchange: StatelessExchange,
    value: unknown,
    answer: (value: unknown, exchange: Exchange) => Answer,
  ): void {
    if (this.#running.size >= this.#limits.exchanges) {
      const message = `${this.#running.size} requests are being handled already; try again later.`;
      exchange.failed(ErrorCode.overloaded);
      exchange.finish(errorFrame(idOf(value), { code: ErrorCode.overloaded, message }));
      return;
    }
    const given = answer(value, exchange);
    if (given instanceof Promise) this.#wait(exchange, given);
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

  #wait(exchange: StatelessExchange, answer: Promise<string | undefined>): void {
    this.#running.add(exchange);
    this.#heartbeat.add(exchange);
    exchange.watch();
    void answer.then((frame) => {
      this.#running.delete(exchange);
      this.#heartbeat.delete(exchange);
      exchange.finish(frame);
      if (this.#running.size === 0) this.#emptied?.();
    });
  }
}
