import { isObject } from '@tenon/mcp-protocol/internal';
import { isNodeId } from '@tenon/mcp-state/internal';

/** The stream of a POST at any process. */
export interface SharedStreamKey {
  readonly session: string;
  readonly process: string;
  readonly stream: number;
}

/** Returns a key that another process sent; undefined if it has another shape. */
export function streamKeyOf(body: unknown): SharedStreamKey | undefined {
  if (!isObject(body)) return undefined;
  const { session, process, stream } = body;
  return typeof session === 'string' && isNodeId(process) && Number.isSafeInteger(stream)
    ? (body as unknown as SharedStreamKey)
    : undefined;
}
