import type { Behaviour } from './behaviour.js';

/** None, one or several functions to call later. Most conversations have one, which then needs no collection. */
export type Callbacks<F extends (...args: never[]) => unknown> = F | Set<F> | undefined;

/** The callbacks and one more. */
export function withCallback<F extends (...args: never[]) => unknown>(
  all: Callbacks<F>,
  one: F,
): Callbacks<F> {
  if (all === undefined) return one;
  return all instanceof Set ? all.add(one) : new Set([all, one]);
}

/** The callbacks without one of them. */
export function withoutCallback<F extends (...args: never[]) => unknown>(
  all: Callbacks<F>,
  one: F,
): Callbacks<F> {
  if (all instanceof Set) all.delete(one);
  return all === one ? undefined : all;
}

/** The callbacks as a list of its own. */
export function listed<F extends (...args: never[]) => unknown>(all: Callbacks<F>): readonly F[] {
  if (all === undefined) return [];
  return all instanceof Set ? [...all] : [all];
}

/** Tells the owner of an end of an error; a listener that throws is not heard. */
export function report({ onError }: Pick<Behaviour, 'onError'>, error: unknown, where: string): void {
  try {
    onError(error, where);
  } catch {
    // There is nobody left to tell.
  }
}

/** Calls a function of the application; what it throws, or rejects with, is reported. */
export function callSafely(
  behaviour: Pick<Behaviour, 'onError'>,
  where: string,
  callback: () => unknown,
): void {
  try {
    const outcome = callback();
    if (outcome instanceof Promise) outcome.catch((error: unknown) => report(behaviour, error, where));
  } catch (error) {
    report(behaviour, error, where);
  }
}

/**
 * Calls a function of the application soon; what it throws, or rejects with, is reported.
 * @returns a function that takes the call back.
 */
export function callSoon(
  behaviour: Pick<Behaviour, 'onError'>,
  where: string,
  callback: () => unknown,
): () => void {
  let wanted = true;
  queueMicrotask(() => {
    if (wanted) callSafely(behaviour, where, callback);
  });
  return () => {
    wanted = false;
  };
}
