import type { DevLimits } from '../dev-options.js';
import type { DevChild, StartError } from './dev-child.js';

/** No server can receive the message. The text is for the client. */
export class HeldError extends Error {
  override readonly name = 'HeldError';
}

interface Waiter {
  resolve(child: DevChild): void;
  reject(error: HeldError): void;
}

/** The child that receives messages. While there is none, messages wait. */
export class ChildGate {
  readonly #limits: Pick<DevLimits, 'held' | 'holdTime'>;
  readonly #waiting = new Set<Waiter>();
  #child: DevChild | undefined;
  #failure: StartError | undefined;
  #closed = false;

  constructor(limits: Pick<DevLimits, 'held' | 'holdTime'>) {
    this.#limits = limits;
  }

  /** The child that receives messages now. */
  get child(): DevChild | undefined {
    return this.#child;
  }

  /** Holds messages from now on. */
  hold(): void {
    this.#child = undefined;
  }

  /** Sends messages to a child, those that wait first. */
  open(child: DevChild): void {
    this.#child = child;
    this.#failure = undefined;
    for (const { resolve } of this.#waiting) resolve(child);
    this.#waiting.clear();
  }

  /** Notes why there is no child, for the errors of messages that wait too long. */
  fail(failure: StartError): void {
    this.#failure = failure;
  }

  /** Rejects all messages from now on. */
  close(): void {
    this.#closed = true;
    this.#child = undefined;
    for (const { reject } of this.#waiting) reject(this.#error());
    this.#waiting.clear();
  }

  /**
   * Returns the child when there is one.
   * @throws HeldError after the time limit, or at once if too many messages wait.
   */
  wait(): DevChild | Promise<DevChild> {
    if (this.#child !== undefined) return this.#child;
    if (this.#closed || this.#waiting.size >= this.#limits.held) return Promise.reject(this.#error());
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        resolve: (child) => {
          clearTimeout(timer);
          resolve(child);
        },
        reject: (error) => {
          clearTimeout(timer);
          reject(error);
        },
      };
      const timer = setTimeout(() => {
        this.#waiting.delete(waiter);
        reject(this.#error());
      }, this.#limits.holdTime);
      this.#waiting.add(waiter);
    });
  }

  #error(): HeldError {
    if (this.#closed) return new HeldError('The development server was stopped.');
    if (this.#failure === undefined) return new HeldError('The server is being reloaded; try again.');
    // The first line of a compiler only counts the errors.
    const reason = this.#failure.report.message.split('\n', 2).join(' ').slice(0, 500);
    return new HeldError(`The server does not start: ${reason} (It is loaded again when a file is saved.)`);
  }
}
