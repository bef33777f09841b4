import { isOverQuota } from '@tenon/mcp-protocol/internal';
import type { Application } from './application.js';

/**
 * Returns an error listener that never throws: the request is answered even if the operator's listener fails. It receives no refusals of the
 * state that callers cause as often as they like: the state reports those itself.
 */
export function unfailing(onError: Application['onError']): Application['onError'] {
  return (error, where) => {
    try {
      if (!isOverQuota(error)) onError(error, where);
    } catch {
      // An error of the error listener cannot be reported.
    }
  };
}
