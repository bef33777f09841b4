import { type Clock, withinTime } from '@tenon/foundation';
import { type RequestId, SessionError } from '@tenon/mcp-protocol';
import type { WorkInFlight } from '../limits/work-in-flight.js';
import type { IncomingRequest } from '../requests/incoming-request.js';
import type { Ledger } from './awaited-handler.js';

/** The running requests of one peer. One request needs no table, and an idle peer has none. */
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

  /** Running handlers, those of cancelled requests included. */
  get size(): number {
    return this.#running;
  }

  /** Running handlers besides those that last as long as the peer wants. */
  get working(): number {
    return this.#running - this.#lasting;
  }

  /** True if a request has no answer yet. */
  get waiting(): boolean {
    return this.#only !== undefined || this.#others !== undefined;
  }

  has(id: RequestId): boolean {
    return this.#only?.id === id || this.#others?.has(id) === true;
  }

  /** True if a request of that method has no answer yet. */
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

  /** Cancels one request and returns it; undefined if it is not in flight, or must not be cancelled. */
  cancel(id: RequestId, reason: string | undefined): IncomingRequest | undefined {
    const request = this.#find(id);
    if (request === undefined || request.method === 'initialize') return undefined;
    request.cancel(reason);
    request.awaitedHandler?.drop();
    this.release(request);
    return request;
  }

  /** Stops every handler; their answers are still sent. */
  stopAll(): void {
    const reason = new SessionError('closed', 'This end is closing, and the call was stopped.');
    for (const request of this.#all()) request.stop(reason);
  }

  /** Cancels all requests, later ones too. */
  cancelAll(reason: Error): void {
    this.#over = reason;
    for (const request of this.#all()) {
      request.cancel(reason);
      request.awaitedHandler?.drop();
      this.#forget(request);
    }
  }

  /** Resolves when every request is answered. */
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
   * Ends all requests: waits for their answers up to a limit, then cancels the others.
   * @param drain - milliseconds.
   * @param stopWithin - milliseconds that replace a longer `drain`; the signals of handlers abort at once.
   */
  async end(clock: Clock, drain: number, stopWithin: number | undefined): Promise<void> {
    if (stopWithin !== undefined) this.stopAll();
    const ms = Math.min(drain, stopWithin ?? drain);
    if (this.waiting) await withinTime(this.emptied(), { clock, ms });
    this.cancelAll(new SessionError('closed', 'The connection is closing.'));
    await answersLeft();
  }
}

/** Waits until finished answers have reached the transport, which takes a few turns of the microtask queue. */
async function answersLeft(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await undefined;
}
