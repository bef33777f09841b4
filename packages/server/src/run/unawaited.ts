import { follow } from '@tenon/foundation';
import { SessionError } from '@tenon/mcp-protocol';
import { InputPromise, isSuspension, noteRaised, quoted } from './input-promise.js';

/** The most keys in one report. */
const mostNamed = 10;

/** Reports a mistake of a handler to its author; `mistake` begins with a verb. */
export type Report = (mistake: string, cause?: unknown) => void;

interface Failure {
  readonly key: string;
  readonly reason: unknown;
}

/**
 * The input requests of one run of a handler, and those that it never awaited. None of their rejections is an unhandled
 * one: those that nothing handles are reported when the handler returns.
 */
export class Unawaited {
  readonly #report: Report;
  readonly #requests = new Map<InputPromise<unknown>, string>();
  readonly #rejected = new Map<InputPromise<unknown>, Failure>();
  #state: 'running' | 'returned' | 'over' = 'running';

  constructor(report: Report) {
    this.#report = report;
  }

  /** The answer in a promise that the author may drop. */
  track<T>(key: unknown, answer: Promise<T>): Promise<T> {
    const name = String(key).slice(0, 128);
    const promise = new InputPromise<T>((resolve, reject) => {
      follow(answer, resolve, (reason) => {
        noteRaised(reason, (lost) => this.#noteRejected(lost, { key: name, reason }));
        reject(reason);
      });
    });
    if (this.#state === 'running') this.#requests.set(promise, name);
    return promise;
  }

  /** Reports the input requests that the handler never awaited; `returned` is false if it threw, or if it runs again. */
  end(returned: boolean): void {
    if (this.#state !== 'running') return;
    this.#state = returned ? 'returned' : 'over';
    if (returned) this.#tell();
    this.#rejected.clear();
  }

  #tell(): void {
    const dropped = [...this.#requests].filter(([promise]) => !promise.followed);
    if (dropped.length > 0) {
      const keys = dropped.slice(0, mostNamed).map(([, key]) => key);
      const [cause] = dropped.flatMap(([promise]) => this.#rejected.get(promise) ?? []);
      this.#report(
        `returned without awaiting the input request ${quoted(keys)}, whose answer is lost: write "await ctx.elicit(...)"`,
        cause?.reason,
      );
    }
    for (const [promise, failure] of this.#rejected) {
      if (!promise.followed && !this.#requests.has(promise)) this.#tellUnhandled(failure);
    }
  }

  #noteRejected(lost: object | undefined, failure: Failure): void {
    if (this.#state === 'over' || isSuspension(failure.reason)) return;
    if (!(lost instanceof InputPromise)) this.#tellUnhandled(failure);
    else if (this.#state === 'running') this.#rejected.set(lost, failure);
    else if (!this.#isExpected(lost, failure.reason)) this.#tellUnhandled(failure);
  }

  /** True for an input request that rejects because its handler returned, or that was reported by then. */
  #isExpected(lost: InputPromise<unknown>, reason: unknown): boolean {
    const isTakenBack =
      reason instanceof SessionError && (reason.reason === 'cancelled' || reason.reason === 'closed');
    return isTakenBack || lost.followed || this.#requests.has(lost);
  }

  #tellUnhandled({ key, reason }: Failure): void {
    const why = reason instanceof Error ? reason.message : String(reason);
    this.#report(`does not handle that its input request ${quoted([key])} failed (${why})`, reason);
  }
}
