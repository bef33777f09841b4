import { isObject } from './json.js';
import { isRequestId, type RequestId } from './json-rpc.js';

/** What is known of a message that is past a bound, and was not read for that reason. */
export interface UnreadId {
  readonly kind: 'request' | 'response';
  /** Its own id, or that of the request it answers. */
  readonly id: RequestId;
}

/** What a message that is not to be read is; undefined where nobody waits for its answer, or for it. */
export function unreadIdOf(message: unknown): UnreadId | undefined {
  if (!isObject(message) || !isRequestId(message.id)) return undefined;
  const { id } = message;
  if (typeof message.method === 'string') return { kind: 'request', id };
  return 'result' in message || 'error' in message ? { kind: 'response', id } : undefined;
}
