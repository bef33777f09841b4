import { type Clock, withinTime } from '@tenon/foundation';
import { type RequestId, TransportError } from '@tenon/mcp-protocol';
import { ConcurrencyLimiter, type LimitedTask } from './concurrency-limiter.js';
import type { HttpClientBounds } from './http-limits.js';
import type { Awaiting, Inbox } from './inbox.js';
import { LinkedQueue, type QueueNode } from './linked-queue.js';

/** One frame being sent, until its response has ended. */
export interface InFlightFrame extends LimitedTask, Awaiting {
  /** Ids of the requests in the frame. */
  readonly ids: readonly RequestId[];
  /** Set by {@link InFlightRequests}: the node of the frame in its queue. */
  place?: QueueNode<unknown> | undefined;
}

/** The parts of the connection that {@link InFlightRequests} uses. */
export interface InFlightParts {
  readonly inbox: Inbox;
  readonly clock: Clock;
  readonly limits: Pick<HttpClientBounds, 'maxConnections' | 'maxAnswersLeaving' | 'closeWaitMs'>;
}

/**
 * The frames of one connection that are being sent. Frames with requests are limited by `maxConnections` until the head of
 * their response has arrived, others by `maxAnswersLeaving` until their response has ended.
 */
export class InFlightRequests<Request extends InFlightFrame> {
  /** Called after the head of a response has arrived, or a frame has ended without one. */
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

  /** All frames at present, as a new array. */
  get all(): Request[] {
    return this.#all.values;
  }

  /** Adds a frame, and starts it when a slot is free. */
  add(request: Request): void {
    const { ids } = request;
    request.place = this.#all.append(request);
    for (const id of ids) this.#parts.inbox.await(id, request);
    (ids.length > 0 ? this.#requests : this.#others).enter(request);
  }

  /** Called when the head of the response to a frame has arrived, or will not arrive. */
  headReceived(request: Request): void {
    if (request.ids.length > 0) this.#requests.leave(request);
    this.onHeadReceived?.();
  }

  /** Called when a frame is settled. */
  finished(request: Request): void {
    const { inbox } = this.#parts;
    if (request.place !== undefined) this.#all.remove(request.place as QueueNode<Request>);
    request.place = undefined;
    // Only now: otherwise a server that sends many requests would have as many connections for their answers.
    if (request.ids.length === 0) this.#others.leave(request);
    for (const id of request.ids) if (inbox.awaiting(id) === request) inbox.forget(id);
    if (this.#all.first === undefined) this.#onIdle?.();
  }

  /** Resolves when no frame is being sent, after `closeWaitMs` at the latest. */
  async idle(): Promise<void> {
    if (this.#all.first === undefined) return;
    const { clock, limits } = this.#parts;
    const idle = new Promise<void>((resolve) => {
      this.#onIdle = resolve;
    });
    await withinTime(idle, { clock, ms: limits.closeWaitMs, holds: true });
  }
}

/** Returns the error of a frame that is sent on a closed connection. */
export function closedError(options: { readonly unhandled?: boolean } = {}): TransportError {
  return new TransportError('The connection is closed.', options);
}
