import { otherThan, type Speaker } from '../connections/tapped-connection.js';

const kinds: ReadonlyMap<string, string> = new Map([
  ['requestState', 'state'],
  ['cursor', 'cursor'],
  ['nextCursor', 'cursor'],
  ['elicitationId', 'elicitation'],
  ['taskId', 'task'],
]);

const subscription = 'io.modelcontextprotocol/subscriptionId';

/** The position of a value in a frame. */
export interface Place {
  readonly from: Speaker;
  /** The method of the frame; undefined for a response. */
  readonly method: unknown;
  readonly path: readonly string[];
}

/**
 * Returns the kind of a value that may differ between recording and replay, such as an id; undefined for all other values.
 * Both ends count their requests, so one id may belong to a request of each.
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
