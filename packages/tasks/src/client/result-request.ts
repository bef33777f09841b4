import type { Clock } from '@tenon/foundation';
import { follow } from '@tenon/foundation';
import { RemoteError, SessionError, TransportError, type UnknownObject } from '@tenon/mcp-protocol';
import { isPassingFailure } from './passing-failures.js';
import type { TaskRequests } from './task-requests.js';

type Outcome = { readonly value: UnknownObject } | { readonly error: unknown };

interface Open {
  readonly stop: AbortController;
  /** True if it was sent after the task had ended. */
  readonly late: boolean;
}

interface ResultRequestParts {
  readonly clock: Clock;
  /** Requests that may fail. */
  readonly failures: number;
  onSettled(): void;
}

/** Milliseconds in which the server must answer an open request after the task has ended. */
const grace = 10_000;

/**
 * The request for the result of a task of the core protocol: it stays open until the task has ended, because the server sends
 * input requests on its stream.
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks#input-required-status
 */
export class ResultRequest {
  readonly #requests: TaskRequests;
  readonly #parts: ResultRequestParts;
  #open: Open | undefined;
  #outcome: Outcome | undefined;
  #failures = 0;
  #endedAt: number | undefined;

  constructor(requests: TaskRequests, parts: ResultRequestParts) {
    this.#requests = requests;
    this.#parts = parts;
  }

  get outcome(): Outcome | undefined {
    return this.#outcome;
  }

  /** Sends the request, unless it is open. @param ended - true if the task has ended. */
  open(ended: boolean): void {
    if (ended) this.#endedAt ??= this.#parts.clock.now();
    if (this.#outcome !== undefined) return;
    if (this.#open !== undefined && !this.#isOverdue(this.#open)) return;
    this.stop();
    const open: Open = { stop: new AbortController(), late: ended };
    this.#open = open;
    const { signal } = open.stop;
    const forever = Number.POSITIVE_INFINITY;
    const answer = this.#requests.result(ended ? { signal } : { signal, timeout: forever, total: forever });
    const settled = (outcome: Outcome | undefined) => {
      if (this.#open !== open) return;
      this.#open = undefined;
      this.#outcome = outcome;
      // A request that may succeed later is sent again when the task is seen the next time.
      if (outcome !== undefined) this.#parts.onSettled();
    };
    follow(
      answer,
      (value) => settled({ value }),
      (error) => settled(this.#maySucceedLater(error, ended) ? undefined : { error }),
    );
  }

  /** No longer waits for the answer. */
  stop(): void {
    const open = this.#open;
    this.#open = undefined;
    open?.stop.abort(new SessionError('cancelled', 'The result of the task is no longer needed.'));
  }

  /** No longer waits for the answer, which a cancelled task should get soon: until then nothing is sent. */
  stopLater(): void {
    if (this.#open !== undefined) this.#parts.clock.schedule(() => this.stop(), grace);
  }

  /** @param ended - true if the task had ended before the request. */
  #maySucceedLater(error: unknown, ended: boolean): boolean {
    // An error before the end may be about the request alone: its process may have ended, and another one runs the task.
    const isAboutRequest = !ended && (error instanceof RemoteError || error instanceof TransportError);
    return (isAboutRequest || isPassingFailure(error)) && ++this.#failures <= this.#parts.failures;
  }

  #isOverdue({ late }: Open): boolean {
    return !late && this.#endedAt !== undefined && this.#parts.clock.now() - this.#endedAt >= grace;
  }
}
