import type { Application } from './application.js';

/** A listener of the operator's may fail; the request it was told of is answered all the same. */
export function unfailing(onError: Application['onError']): Application['onError'] {
  return (error, where) => {
    try {
      onError(error, where);
    } catch {
      // There is nobody left to tell.
    }
  };
}
