import type { Application } from './application.js';

/** Returns an error listener that never throws: the request is answered even if the operator's listener fails. */
export function unfailing(onError: Application['onError']): Application['onError'] {
  return (error, where) => {
    try {
      onError(error, where);
    } catch {
      // An error of the error listener cannot be reported.
    }
  };
}
