import { type RequestId, SessionError } from '@tenon/mcp-protocol';
import type { WorkInFlight } from '../budget/work-in-flight.js';
import type { Clock } from '../clock.js';
import type { Ledger } from './flight.js';
import type { IncomingRequest } from './incoming-request.js';

/** The requests of one peer that are being handled. One at a time needs no table, and an idle peer has none. */
export class InFlight implements Ledger {
  #only: IncomingRequest | undefined;
  #others: Map<RequestId, IncomingRequest> | undefined;
  #running = 0;
  #lasting = 0;
  #over: Error | undefined;
  #onEmpty: (() => void) | undefined;
  readonly #work: WorkInFlight | undefined;

  /** @param work - counts the handlers of all connections. */
  constructor(work?: WorkInFlight) {
    this.#work = work;
  }

  /** Handlers at work, those of cancelled requests included. */
  get size(): number {
    return this.#running;
  }

  /** Handlers at work besides those that last for as long as the peer wants. */
  get working(): number {
    return this.#running - this.#lasting;
  }

  /** True while a request still waits for its answer. */
  get waiting(): boolean {
    return this.#only !== undefined || this.#others !== undefined;
  }

  has(id: RequestId): boolean {
    return this.#only?.id === id || this.#others?.has(id) === true;
  }

  /** True while a request of that method waits for its answer. */
  hasMethod(method: string): boolean {
    return this.#all().some((request) => request.method === method);
  }

  enter(request: IncomingRequest, lasting: boolean): void {
    this.#running++;
    if (lasting) this.#lasting++;
    if (request.exchange.bounds !== undefined) this.#work?.enter(request, lasting);
    if (this.#over !== undefined) request.cancel(this.#over);
    else if (this.#only === undefined) this.#only = request;
    else {
      this.#others ??= new Map();
      this.#others.set(request.id, request);
    }
  }

  leave(request: IncomingRequest, lasting: boolean): void {
    this.#running--;
    if (lasting) this.#lasting--;
    if (request.exchange.bounds !== undefined) this.#work?.leave(request, lasting);
    this.#forget(request);
  }

  // The id is free again: nothing more will be sent for it.
  release(request: IncomingRequest): void {
    this.#forget(request);
  }

  /** Cancels one request and gives it; undefined when it is not in flight, or must not be cancelled. */
  cancel(id: RequestId, reason: string | undefined): IncomingRequest | undefined {
    const request = this.#find(id);
    if (request === undefined || request.method === 'initialize') return undefined;
    request.cancel(reason);
    request.flight?.drop();
    this.release(request);
    return request;
  }

  /** Has every handler stop; what those that end answer is still sent. */
  stopAll(): void {
    const reason = new SessionError('closed', 'This end is closing, and the call was stopped.');
    for (const request of this.#all()) request.stop(reason);
  }

  /** Cancels everything, and whatever still comes. */
  cancelAll(reason: Error): void {
    this.#over = reason;
    for (const request of this.#all()) {
      request.cancel(reason);
      request.flight?.drop();
      this.#forget(request);
    }
  }

  /** Resolves when no request waits for its answer. */
  emptied(): Promise<void> {
    if (!this.waiting) return Promise.resolve();
    return new Promise((resolve) => {
      this.#onEmpty = resolve;
    });
  }

  #find(id: RequestId): IncomingRequest | undefined {
    return this.#only?.id === id ? this.#only : this.#others?.get(id);
  }

  #all(): IncomingRequest[] {
    const others = this.#others === undefined ? [] : [...this.#others.values()];
    return this.#only === undefined ? others : [this.#only, ...others];
  }

  #forget(request: IncomingRequest): void {
    if (this.#only === request) this.#only = undefined;
    else if (this.#others?.get(request.id) !== request) return;
    else if (this.#others.size > 1) this.#others.delete(request.id);
    else this.#others = undefined;
    if (this.#only === undefined && this.#others === undefined) this.#onEmpty?.();
  }

  /**
   * Ends all requests: waits for their answers within a limit, then cancels the rest.
   * @param drain - milliseconds.
   * @param stopWithin - milliseconds in place of `drain`, if shorter; the signals of handlers abort at once.
   */
  async end(clock: Clock, drain: number, stopWithin: number | undefined): Promise<void> {
    if (stopWithin !== undefined) this.stopAll();
    if (this.waiting) await this.#drained(clock, Math.min(drain, stopWithin ?? drain));
    this.cancelAll(new SessionError('closed', 'The connection is closing.'));
    await answersLeft();
  }

  async #drained(clock: Clock, ms: number): Promise<void> {
    let stop = () => {};
    const expired = new Promise<void>((resolve) => {
      stop = clock.schedule(resolve, ms);
    });
    await Promise.race([this.emptied(), expired]);
    stop();
  }
}

/** Waits until answers that are ready have reached the carrier, which is a few turns of the microtask queue away. */
async function answersLeft(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await undefined;
}
