import { isRaised, noteRejected } from './raised.js';

/** The part of a process that emits unhandled rejections. */
export interface RejectionSource {
  on(event: 'unhandledRejection', listener: (reason: unknown) => void): unknown;
  listenerCount(event: 'unhandledRejection'): number;
}

const { process } = globalThis as { readonly process?: RejectionSource };
const thisProcess = typeof process?.on === 'function' ? process : undefined;

const listenedTo = new WeakSet<RejectionSource>();

/**
 * Keeps a process alive for rejections by the engine that an author combined into other promises
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
