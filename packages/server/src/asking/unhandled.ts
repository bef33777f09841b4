import { isRaised, noteRejected } from './raised.js';

/** Where a process hears of rejections nobody handled. */
export interface RejectionSource {
  on(event: 'unhandledRejection', listener: (reason: unknown) => void): unknown;
  listenerCount(event: 'unhandledRejection'): number;
}

const { process } = globalThis as { readonly process?: RejectionSource };
const thisProcess = typeof process?.on === 'function' ? process : undefined;

const listenedTo = new WeakSet<RejectionSource>();

/**
 * Keeps a process alive through rejections the engine caused and an author combined into promises of their own
 * before awaiting them, such as an early `Promise.all`. All others end it as they would have. Where the runtime has no
 * process, there is nothing to keep.
 */
export function surviveSuspensions(source: RejectionSource | undefined = thisProcess): void {
  if (source === undefined || listenedTo.has(source)) return;
  listenedTo.add(source);
  source.on('unhandledRejection', (reason) => {
    if (isRaised(reason)) noteRejected(reason);
    else if (source.listenerCount('unhandledRejection') === 1) throw reason;
  });
}
