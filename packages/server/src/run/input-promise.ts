import { detach } from '@tenon/foundation';

/**
 * The reason with which a pending input request rejects when the call ends with it: not an `Error`, so that logging
 * of errors does not log it. The handler runs again from the top with the answers; a `catch` must rethrow it.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr
 */
export class Suspension {
  /** Keys of the input requests that the call ended with. */
  readonly keys: readonly string[];

  constructor(keys: readonly string[]) {
    this.keys = keys;
  }

  toString(): string {
    return `Suspended to ask ${quoted(this.keys)}: rethrow this, the handler runs again with the answers.`;
  }
}

/** True for a reason that a `catch` block of a handler must rethrow. */
export function isSuspension(thrown: unknown): thrown is Suspension {
  return thrown instanceof Suspension;
}

/** Returns the keys as text for messages. */
export function quoted(keys: readonly string[]): string {
  return keys.map((key) => JSON.stringify(key)).join(', ');
}

/** Receives a promise that rejected with an error of an input request; undefined for a promise of the author. */
export type Rejected = (promise: object | undefined) => void;

const raised = new WeakMap<object, Rejected | undefined>();

/**
 * Notes that a run itself rejects a promise with this.
 * @param rejected - called for each promise that rejects with it.
 */
export function noteRaised(reason: unknown, rejected?: Rejected): void {
  if (typeof reason === 'object' && reason !== null) raised.set(reason, rejected);
}

/** True for an error with which a run itself rejected a promise. */
export function isRaised(reason: unknown): boolean {
  return isSuspension(reason) || (typeof reason === 'object' && reason !== null && raised.has(reason));
}

/** Notifies the tracker of the error's input request that a promise rejected with the error. */
export function noteRejected(reason: unknown, promise?: object): void {
  if (typeof reason === 'object' && reason !== null) raised.get(reason)?.(promise);
}

/** The part of a process that emits unhandled rejections. */
export interface RejectionSource {
  on(event: 'unhandledRejection', listener: (reason: unknown) => void): unknown;
  listenerCount(event: 'unhandledRejection'): number;
}

const { process } = globalThis as { readonly process?: RejectionSource };
const thisProcess = typeof process?.on === 'function' ? process : undefined;

const listenedTo = new WeakSet<RejectionSource>();

/**
 * Keeps a process alive for rejections by a run that an author combined into other promises
 * before awaiting them, such as an early `Promise.all`. All other rejections end it as usual. In a runtime without a
 * process, it does nothing.
 */
export function surviveSuspensions(source: RejectionSource | undefined = thisProcess): void {
  if (source === undefined || listenedTo.has(source)) return;
  listenedTo.add(source);
  source.on('unhandledRejection', (reason) => {
    if (isRaised(reason)) noteRejected(reason);
    else if (source.listenerCount('unhandledRejection') === 1) throw reason;
  });
}

const ignore = () => undefined;

type Resolve<T> = (value: T | PromiseLike<T>) => void;
type Reject = (reason?: unknown) => void;

/**
 * A promise that a handler may drop: a rejection by a run is never an unhandled one, neither here nor in the promises of
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
