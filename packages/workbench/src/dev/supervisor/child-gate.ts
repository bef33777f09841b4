import { systemClock, withinTime } from '@tenon/foundation';
import type { DevBounds } from '../dev-options.js';
import type { DevChild, StartError } from './dev-child.js';

/** No server can receive the message. The text is for the client. */
export class HeldError extends Error {
  override readonly name = 'HeldError';
}

interface Waiter {
  resolve(child: DevChild): void;
  reject(error: HeldError): void;
}

/** The child that receives messages. While one starts, messages wait; after a failed start they are rejected at once. */
export class ChildGate {
  readonly #bounds: Pick<DevBounds, 'held' | 'holdTime'>;
  readonly #waiting = new Set<Waiter>();
  #child: DevChild | undefined;
  #failure: StartError | undefined;
  /** True if no server starts before a file changes. */
  #failed = false;
  #closed = false;

  constructor(bounds: Pick<DevBounds, 'held' | 'holdTime'>) {
    this.#bounds = bounds;
  }

  /** The child that receives messages now. */
  get child(): DevChild | undefined {
    return this.#child;
  }

  /**
   * Holds messages from now on: a server starts.
   * @param failure - the reason why there is none, for the errors of messages that wait too long. Default: the last one.
   */
  hold(failure?: StartError): void {
    this.#child = undefined;
    this.#failed = false;
    this.#failure = failure ?? this.#failure;
  }

  /** Sends messages to a child, those that wait first. */
  open(child: DevChild): void {
    this.#child = child;
    this.#failure = undefined;
    for (const { resolve } of this.#waiting) resolve(child);
    this.#waiting.clear();
  }

  /** Rejects messages, also those that wait, until the next {@link hold}: no server starts before a file changes. */
  fail(failure: StartError): void {
    this.#child = undefined;
    this.#failure = failure;
    this.#failed = true;
    this.#rejectAll();
  }

  /** Rejects all messages from now on. */
  close(): void {
    this.#closed = true;
    this.#child = undefined;
    this.#rejectAll();
  }

  /**
   * Returns the child when there is one.
   * @throws HeldError after the time limit, or at once if the last start has failed, or if too many messages wait.
   */
  wait(): DevChild | Promise<DevChild> {
    if (this.#child !== undefined) return this.#child;
    const isFull = this.#waiting.size >= this.#bounds.held;
    if (this.#closed || this.#failed || isFull) return Promise.reject(this.#error());
    let waiter: Waiter | undefined;
    const opened = new Promise<DevChild>((resolve, reject) => {
      waiter = { resolve, reject };
      this.#waiting.add(waiter);
    });
    const limit = { clock: systemClock, ms: this.#bounds.holdTime, holds: true };
    const late = () => {
      if (waiter !== undefined) this.#waiting.delete(waiter);
      throw this.#error();
    };
    return withinTime(opened, limit, late);
  }

  #rejectAll(): void {
    for (const { reject } of this.#waiting) reject(this.#error());
    this.#waiting.clear();
  }

  #error(): HeldError {
    if (this.#closed) return new HeldError('The development server was stopped.');
    if (this.#failure === undefined) return new HeldError('The server is being reloaded; try again.');
    // The first line of a compiler only counts the errors.
    const reason = this.#failure.report.message.split('\n', 2).join(' ').slice(0, 500);
    return new HeldError(`The server does not start: ${reason} (It is loaded again when a file is saved.)`);
  }
}
