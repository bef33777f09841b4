import { detach } from '@tenon/mcp-protocol/internal';
import { isRaised, noteRaised, noteRejected } from './raised.js';
import { surviveSuspensions } from './unhandled.js';

const ignore = () => undefined;

type Resolve<T> = (value: T | PromiseLike<T>) => void;
type Reject = (reason?: unknown) => void;

/**
 * A promise a handler may drop: a rejection the engine caused is never an unhandled one, neither here nor in what
 * `then`, `catch` and `finally` make of it. Rejections of the author's own making are treated as ever.
 */
export class AskPromise<T> extends Promise<T> {
  #followed = false;

  /** Also what `then` and its kin make their promises with. */
  constructor(executor: (resolve: Resolve<T>, reject: Reject) => void) {
    let early: { readonly reason: unknown } | undefined;
    // An executor may reject before there is a `this`.
    let silence = (reason: unknown) => {
      early = { reason };
    };
    const hush = (reason: unknown) => {
      if (isRaised(reason)) silence(reason);
    };
    surviveSuspensions();
    super((resolve, reject) => {
      const follow: Resolve<T> = (value) => {
        if (value instanceof Promise) detach(value, hush);
        resolve(value);
      };
      executor(follow, (reason) => {
        hush(reason);
        reject(reason);
      });
    });
    silence = (reason) => {
      quiet(this);
      noteRejected(reason, this);
    };
    if (early !== undefined) silence(early.reason);
  }

  /** True once something waits for it: `await`, `then` or `catch`, or a promise made of several. */
  get followed(): boolean {
    return this.#followed;
  }

  override then<Value = T, Other = never>(
    onFulfilled?: ((value: T) => Value | PromiseLike<Value>) | null,
    onRejected?: ((reason: unknown) => Other | PromiseLike<Other>) | null,
  ): Promise<Value | Other> {
    this.#followed = true;
    return super.then(onFulfilled, onRejected);
  }
}

/** How to settle an {@link AskPromise}: `raise` rejects on behalf of the engine, `reject` on behalf of the author. */
export interface Settle<T> {
  readonly resolve: Resolve<T>;
  readonly reject: Reject;
  readonly raise: Reject;
}

/** A promise that may be dropped, settled by whoever holds what `begin` is given. */
export function askPromise<T>(begin: (settle: Settle<T>) => void): Promise<T> {
  return new AskPromise<T>((resolve, reject) => {
    const raise = (reason: unknown) => {
      noteRaised(reason);
      reject(reason);
    };
    begin({ resolve, reject, raise });
  });
}

function quiet(promise: Promise<unknown>): void {
  Reflect.apply(Promise.prototype.then, promise, [undefined, ignore]);
}
