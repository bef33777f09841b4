import { type Clock, type RequestId, TransportError } from '@tenon/mcp-protocol';
import { ConcurrencyLimiter, type LimitedTask } from './concurrency-limiter.js';
import type { HttpClientLimits } from './http-limits.js';
import type { Awaiting, Inbox } from './inbox.js';
import { LinkedQueue, type QueueNode } from './linked-queue.js';

/** One frame on its way. */
export interface InFlight extends LimitedTask, Awaiting {
  /** Ids of the requests in it. */
  readonly ids: readonly RequestId[];
  /** Set by {@link InFlightRequests}: its node there. */
  place?: QueueNode<unknown> | undefined;
}

/** What {@link InFlightRequests} needs of the connection. */
export interface InFlightParts {
  readonly inbox: Inbox;
  readonly clock: Clock;
  readonly limits: Pick<HttpClientLimits, 'maxConnections' | 'maxAnswersLeaving' | 'closeWaitMs'>;
}

/**
 * The frames of one connection that are on their way. Frames with requests are limited by `maxConnections` until the head of
 * their response is there, others by `maxAnswersLeaving` until their response is over.
 */
export class InFlightRequests<Request extends InFlight> {
  /** Called after the head of a response, or the end of a frame without one. */
  onHeadReceived: (() => void) | undefined;
  readonly #parts: InFlightParts;
  readonly #all = new LinkedQueue<Request>();
  readonly #requests: ConcurrencyLimiter;
  readonly #others: ConcurrencyLimiter;
  #onIdle: (() => void) | undefined;

  constructor(parts: InFlightParts) {
    this.#parts = parts;
    this.#requests = new ConcurrencyLimiter(parts.limits.maxConnections);
    this.#others = new ConcurrencyLimiter(parts.limits.maxAnswersLeaving);
  }

  /** All of them at present, as a new array. */
  get all(): Request[] {
    return this.#all.values;
  }

  /** Adds a frame, and begins it when there is a slot. */
  add(request: Request): void {
    const { ids } = request;
    request.place = this.#all.append(request);
    for (const id of ids) this.#parts.inbox.await(id, request);
    (ids.length > 0 ? this.#requests : this.#others).enter(request);
  }

  /** The head of the response to a frame is there, or will not come. */
  headReceived(request: Request): void {
    if (request.ids.length > 0) this.#requests.leave(request);
    this.onHeadReceived?.();
  }

  /** A frame is settled. */
  finished(request: Request): void {
    const { inbox } = this.#parts;
    if (request.place !== undefined) this.#all.remove(request.place as QueueNode<Request>);
    request.place = undefined;
    // Only now: a server with many requests must not have as many connections of their answers kept open.
    if (request.ids.length === 0) this.#others.leave(request);
    for (const id of request.ids) if (inbox.awaiting(id) === request) inbox.forget(id);
    if (this.#all.first === undefined) this.#onIdle?.();
  }

  /** Resolves once no frame is on its way, after `closeWaitMs` at the latest. */
  idle(): Promise<void> {
    if (this.#all.first === undefined) return Promise.resolve();
    const { clock, limits } = this.#parts;
    return new Promise((resolve) => {
      const cancel = clock.schedule(resolve, limits.closeWaitMs, true);
      this.#onIdle = () => {
        cancel();
        resolve();
      };
    });
  }
}

/** The error of a frame that is sent on a closed connection. */
export function closedError(options: { readonly unhandled?: boolean } = {}): TransportError {
  return new TransportError('The connection is closed.', options);
}
