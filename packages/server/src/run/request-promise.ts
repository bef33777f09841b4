import { detach } from '@tenon/mcp-protocol/internal';
import { isRaised, noteRaised, noteRejected } from './raised.js';
import { surviveSuspensions } from './unhandled.js';

const ignore = () => undefined;

type Resolve<T> = (value: T | PromiseLike<T>) => void;
type Reject = (reason?: unknown) => void;

/**
 * A promise that a handler may drop: a rejection by the engine is never an unhandled one, neither here nor in the promises of
 * `then`, `catch` and `finally`. Rejections by the author are treated as usual.
 */
export class InputPromise<T> extends Promise<T> {
  #followed = false;

  /** Also the constructor for the promises of `then`, `catch` and `finally`. */
  constructor(executor: (resolve: Resolve<T>, reject: Reject) => void) {
    let early: { readonly reason: unknown } | undefined;
    // An executor may reject before `this` exists.
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

  /** True if it is awaited: by `await`, `then` or `catch`, or by a promise made of several. */
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

/** The functions that settle an {@link InputPromise}: `raise` rejects on behalf of the engine, `reject` on behalf of the author. */
export interface Settle<T> {
  readonly resolve: Resolve<T>;
  readonly reject: Reject;
  readonly raise: Reject;
}

/** Creates a promise that may be dropped, settled by the functions that `begin` receives. */
export function inputPromise<T>(begin: (settle: Settle<T>) => void): Promise<T> {
  return new InputPromise<T>((resolve, reject) => {
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
