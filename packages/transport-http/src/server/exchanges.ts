import {
  type Answer,
  type Clock,
  ErrorCode,
  type Exchange,
  errorFrame,
  failedAnswer,
  type Principal,
} from '@tenon/mcp-protocol';
import type { Application } from './application.js';
import { expiryOf } from './expiry.js';
import { Heartbeat } from './heartbeat.js';
import type { HttpCall } from './http-call.js';
import type { HttpLimits } from './http-limits.js';
import { ownerOf } from './http-session.js';
import { idOf } from './refusal.js';
import { type ExchangeHost, StatelessExchange } from './stateless-exchange.js';

/** All exchanges outside sessions that are being answered. */
export class Exchanges implements ExchangeHost {
  readonly #limits: HttpLimits;
  readonly #clock: Clock;
  /** Hears of what goes wrong here. Does not throw. */
  readonly onError: Application['onError'];
  readonly #heartbeat: Heartbeat;
  /** With whom each is counted for. */
  readonly #running = new Map<StatelessExchange, string | undefined>();
  /** As long as fewer run in all, nobody can hold too many. */
  readonly #ample: number;
  readonly #held = new Map<string, number>();
  /** Handlers that still work although their time was up and their exchange is over. */
  #overdue = 0;
  readonly #endings = new Set<() => void>();
  #emptied: (() => void) | undefined;

  constructor(limits: HttpLimits, clock: Clock, onError: Application['onError']) {
    this.#limits = limits;
    this.onError = onError;
    this.#ample = Math.min(limits.exchanges, limits.exchangesPerPrincipal);
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

  expiryOf(principal: Principal | undefined): number | undefined {
    return expiryOf(principal, this.#clock);
  }

  outlived(exchange: StatelessExchange): () => void {
    const caller = callerOf(exchange);
    this.#overdue++;
    this.#count(caller, 1);
    return () => {
      this.#overdue--;
      this.#count(caller, -1);
    };
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
    const message = this.#running.size + this.#overdue < this.#ample ? undefined : this.#obstacle(exchange);
    if (message !== undefined) {
      exchange.failed(ErrorCode.overloaded);
      exchange.finish(errorFrame(idOf(value), { code: ErrorCode.overloaded, message }));
      return;
    }
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
    for (const exchange of [...this.#running.keys()]) exchange.cutOff();
  }

  /** Why nothing more can be handled, or nothing more of one caller; undefined when it can. */
  #obstacle(exchange: StatelessExchange): string | undefined {
    const size = this.#running.size + this.#overdue;
    const { exchanges, exchangesPerPrincipal } = this.#limits;
    if (size >= exchanges) return `${size} requests are still worked on; try again later.`;
    const caller = callerOf(exchange);
    const mine = caller === undefined ? 0 : (this.#held.get(caller) ?? 0);
    if (mine < exchangesPerPrincipal) return undefined;
    return `${mine} requests of yours are still worked on, those that were stopped included. Try again later.`;
  }

  #count(caller: string | undefined, change: number): void {
    if (caller === undefined) return;
    const held = (this.#held.get(caller) ?? 0) + change;
    if (held > 0) this.#held.set(caller, held);
    else this.#held.delete(caller);
  }

  #wait(exchange: StatelessExchange, answer: Promise<string | undefined>, message: unknown): void {
    const caller = callerOf(exchange);
    this.#running.set(exchange, caller);
    this.#count(caller, 1);
    this.#heartbeat.add(exchange);
    exchange.watch();
    const failed = (error: unknown) => {
      this.#left(exchange, caller);
      this.#broken(exchange, error, message);
    };
    answer.then((frame) => {
      try {
        this.#left(exchange, caller);
        exchange.finish(frame);
      } catch (error) {
        failed(error);
      }
    }, failed);
  }

  #left(exchange: StatelessExchange, caller: string | undefined): void {
    if (!this.#running.delete(exchange)) return;
    this.#count(caller, -1);
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

/** A name for whoever an exchange is counted for; undefined where nothing is known of its caller. */
function callerOf({ principal, remoteAddress }: StatelessExchange): string | undefined {
  return ownerOf(principal) ?? (remoteAddress === undefined ? undefined : `@${remoteAddress}`);
}
