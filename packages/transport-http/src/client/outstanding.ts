import { type Clock, type RequestId, TransportError } from '@tenon/mcp-protocol';
import type { HttpLimits } from './http-limits.js';
import type { Awaiting, Inbox } from './inbox.js';
import { Line, type Place } from './line.js';
import { type Turn, Turns } from './turns.js';

/** One frame on its way. */
export interface Departing extends Turn, Awaiting {
  /** Ids of the requests in it. */
  readonly ids: readonly RequestId[];
  /** Where it stands among those on their way. */
  place?: Place<unknown> | undefined;
}

/** What waiting for them needs. */
export interface OutstandingParts {
  readonly inbox: Inbox;
  readonly clock: Clock;
  readonly limits: Pick<HttpLimits, 'maxConnections' | 'maxAnswersLeaving' | 'closeWaitMs'>;
}

/** The frames of one connection that are on their way: bounded in number, requests apart from the rest. */
export class Outstanding<Post extends Departing> {
  readonly #parts: OutstandingParts;
  readonly #posts = new Line<Post>();
  readonly #requests: Turns;
  readonly #others: Turns;
  #onIdle: (() => void) | undefined;

  constructor(parts: OutstandingParts) {
    this.#parts = parts;
    this.#requests = new Turns(parts.limits.maxConnections);
    this.#others = new Turns(parts.limits.maxAnswersLeaving);
  }

  /** All of them at present; what happens to them meanwhile does not change the list. */
  get all(): Post[] {
    return this.#posts.values;
  }

  /** Lets a frame go, now or when it is its turn. */
  add(post: Post): void {
    post.place = this.#posts.join(post);
    for (const id of post.ids) this.#parts.inbox.await(id, post);
    (post.ids.length > 0 ? this.#requests : this.#others).enter(post);
  }

  /** The answer to a frame has begun, or will not. */
  headed(post: Post): void {
    if (post.ids.length > 0) this.#requests.leave(post);
  }

  /** A frame is over and done with. */
  finished(post: Post): void {
    const { inbox } = this.#parts;
    if (post.place !== undefined) this.#posts.leave(post.place as Place<Post>);
    post.place = undefined;
    // Not before: the server asks as often as it likes, and must not have as many connections kept open.
    if (post.ids.length === 0) this.#others.leave(post);
    for (const id of post.ids) if (inbox.awaiting(id) === post) inbox.forget(id);
    if (this.#posts.first === undefined) this.#onIdle?.();
  }

  /** Resolves once all have left, or it has taken too long. */
  idle(): Promise<void> {
    if (this.#posts.first === undefined) return Promise.resolve();
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

/** The error for what is sent on a connection that is over. */
export function closedError(options: { readonly unhandled?: boolean } = {}): TransportError {
  return new TransportError('The connection is closed.', options);
}
