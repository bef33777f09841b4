/** Runs a task once the signal aborts, at once if it has. Returns the function that removes the listener. */
export function onAbort(signal: AbortSignal | undefined, task: () => void): () => void {
  if (signal?.aborted) task();
  else signal?.addEventListener('abort', task, { once: true });
  return () => signal?.removeEventListener('abort', task);
}

/**
 * Waits for work, which goes on if the signal aborts first.
 * @param errorOf - returns the error for the reason of the signal. Default: the reason.
 * @throws the error of the work; the error of `errorOf` once the signal aborts.
 */
export async function unlessAborted<T>(
  work: Promise<T>,
  signal: AbortSignal | undefined,
  errorOf: (reason: unknown) => unknown = (reason) => reason,
): Promise<T> {
  if (signal === undefined) return work;
  let release = () => {};
  const aborted = new Promise<never>((_, reject) => {
    release = onAbort(signal, () => reject(errorOf(signal.reason)));
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    release();
  }
}

import type { Clock } from './clock.js';

/** A time on a clock. */
export interface TimeLimit {
  readonly clock: Pick<Clock, 'schedule'>;
  readonly ms: number;
  /** Keeps the process alive until then. Default: false. */
  readonly holds?: boolean;
}

/** Resolves after a time, or once the signal aborts. */
export function pause(
  clock: Pick<Clock, 'schedule'>,
  ms: number,
  { signal, holds }: { readonly signal?: AbortSignal | undefined; readonly holds?: boolean } = {},
): Promise<void> {
  if (signal?.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      cancel();
      release();
      resolve();
    };
    const cancel = clock.schedule(done, ms, holds);
    const release = onAbort(signal, done);
  });
}

/**
 * Waits for work, which goes on if it takes longer than the time limit.
 * @param late - called after the time limit; its result, or what it throws, is the outcome. Default: the outcome is undefined.
 * @throws the error of the work.
 */
export function withinTime<T>(work: Promise<T>, limit: TimeLimit): Promise<T | undefined>;
export function withinTime<T, Late>(work: Promise<T>, limit: TimeLimit, late: () => Late): Promise<T | Late>;
export async function withinTime<T>(
  work: Promise<T>,
  { clock, ms, holds }: TimeLimit,
  late: () => unknown = () => undefined,
): Promise<unknown> {
  let cancel = () => {};
  const over = new Promise<unknown>((resolve, reject) => {
    const end = () => {
      try {
        resolve(late());
      } catch (error) {
        reject(error);
      }
    };
    cancel = clock.schedule(end, ms, holds);
  });
  try {
    return await Promise.race([work, over]);
  } finally {
    cancel();
  }
}

/** The end of a task: a time, and the signal of the caller. */
export interface Deadline extends TimeLimit {
  readonly signal?: AbortSignal | undefined;
  /** Returns the error of a task that takes longer. */
  readonly late: () => Error;
  /** Returns the error of a task that its caller has aborted. Default: the reason of the signal. */
  readonly aborted?: (reason: unknown) => unknown;
}

/**
 * Runs a task with a signal that aborts at the deadline. Rejects then, even if the task ignores the signal.
 * @throws the error of the task; the error of `late` or `aborted` once the signal of the task has aborted.
 */
export async function withDeadline<T>(
  { clock, ms, holds, signal, late, aborted = (reason) => reason }: Deadline,
  task: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const stop = new AbortController();
  const release = onAbort(signal, () => stop.abort(aborted(signal?.reason)));
  const cancel = clock.schedule(() => stop.abort(late()), ms, holds);
  try {
    stop.signal.throwIfAborted();
    return await unlessAborted(task(stop.signal), stop.signal);
  } catch (error) {
    throw stop.signal.aborted ? stop.signal.reason : error;
  } finally {
    cancel();
    release();
  }
}
