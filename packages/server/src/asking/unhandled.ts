import { isRaised } from './ask-promise.js';

/** Where a process hears of rejections nobody handled. */
export interface RejectionSource {
  on(event: 'unhandledRejection', listener: (reason: unknown) => void): unknown;
  listenerCount(event: 'unhandledRejection'): number;
}

const listenedTo = new WeakSet<RejectionSource>();

/**
 * Keeps a process alive through rejections the engine caused and an author combined into promises of their own
 * before awaiting them, such as an early `Promise.all`. All others end it as they would have.
 */
export function surviveSuspensions(source: RejectionSource): void {
  if (listenedTo.has(source)) return;
  listenedTo.add(source);
  source.on('unhandledRejection', (reason) => {
    if (isRaised(reason) || source.listenerCount('unhandledRejection') > 1) return;
    throw reason;
  });
}
