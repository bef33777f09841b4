/** The owner of one end, who receives its errors. */
export interface ErrorListener {
  /** Receives every error that is not sent to the peer, and reports of dropped messages. Must not throw. */
  readonly onError: (error: unknown, where: string) => void;
}

/** None, one or several callbacks. Most conversations have one, which needs no collection. */
export type Callbacks<F extends (...args: never[]) => unknown> = F | Set<F> | undefined;

/** Returns the callbacks with one more. */
export function withCallback<F extends (...args: never[]) => unknown>(
  all: Callbacks<F>,
  one: F,
): Callbacks<F> {
  if (all === undefined) return one;
  return all instanceof Set ? all.add(one) : new Set([all, one]);
}

/** Returns the callbacks without one of them. */
export function withoutCallback<F extends (...args: never[]) => unknown>(
  all: Callbacks<F>,
  one: F,
): Callbacks<F> {
  if (all instanceof Set) all.delete(one);
  return all === one ? undefined : all;
}

/** Returns the callbacks as a new list. */
export function listed<F extends (...args: never[]) => unknown>(all: Callbacks<F>): readonly F[] {
  if (all === undefined) return [];
  return all instanceof Set ? [...all] : [all];
}

/** Reports an error to the owner of an end; errors of the listener are ignored. */
export function report({ onError }: ErrorListener, error: unknown, where: string): void {
  try {
    onError(error, where);
  } catch {
    // The listener itself failed.
  }
}

/** Calls a function of the application and reports its error or rejection. */
export function callSafely(owner: ErrorListener, where: string, callback: () => unknown): void {
  try {
    const outcome = callback();
    if (outcome instanceof Promise) outcome.catch((error: unknown) => report(owner, error, where));
  } catch (error) {
    report(owner, error, where);
  }
}

/**
 * Calls a function of the application soon, and reports its error or rejection.
 * @returns a function that cancels the call.
 */
export function callSoon(owner: ErrorListener, where: string, callback: () => unknown): () => void {
  let wanted = true;
  queueMicrotask(() => {
    if (wanted) callSafely(owner, where, callback);
  });
  return () => {
    wanted = false;
  };
}
