import { otherThan, type Speaker } from '../tapped-connection.js';

const kinds: ReadonlyMap<string, string> = new Map([
  ['requestState', 'state'],
  ['cursor', 'cursor'],
  ['nextCursor', 'cursor'],
  ['elicitationId', 'elicitation'],
  ['taskId', 'task'],
]);

const subscription = 'io.modelcontextprotocol/subscriptionId';

/** Where a value stands in a frame. */
export interface Place {
  readonly from: Speaker;
  /** The frame's method; undefined for an answer. */
  readonly method: unknown;
  readonly path: readonly string[];
}

/**
 * The kind of a value that means nothing but itself, such as an id: where it was recorded another one may come. Undefined
 * for all others. Both ends count their requests, so that the same id may stand for a request of each.
 */
export function opaqueKind({ from, method, path }: Place): string | undefined {
  const name = path.at(-1) ?? '';
  if (name === 'id' && path.length === 1) return `id of ${method === undefined ? otherThan(from) : from}`;
  if (name === 'requestId' && method === 'notifications/cancelled') return `id of ${from}`;
  if (name === 'progressToken') {
    return `token of ${method === 'notifications/progress' ? otherThan(from) : from}`;
  }
  return name === subscription ? 'id of client' : kinds.get(name);
}
