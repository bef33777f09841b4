import { isObject } from './json.js';
import { isRequestId, type RequestId } from './messages.js';

/** A message that exceeds a limit and was therefore not read. */
export interface UnreadId {
  readonly kind: 'request' | 'response';
  /** The id of the message, or of the request that it answers. */
  readonly id: RequestId;
}

/** Identifies a message without reading it as a whole; undefined if it is neither a request nor an answer. */
export function unreadIdOf(message: unknown): UnreadId | undefined {
  if (!isObject(message) || !isRequestId(message.id)) return undefined;
  const { id } = message;
  if (typeof message.method === 'string') return { kind: 'request', id };
  return 'result' in message || 'error' in message ? { kind: 'response', id } : undefined;
}
