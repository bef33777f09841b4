import { isObject } from '@tenon/mcp-protocol/internal';
import { isProcessId } from '@tenon/mcp-state/internal';

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
  return typeof session === 'string' && isProcessId(process) && Number.isSafeInteger(stream)
    ? (body as unknown as SharedStreamKey)
    : undefined;
}

/** An event of the stream of a POST. */
export interface PostPlace {
  readonly process: string;
  readonly stream: number;
  readonly sequence: number;
}

/** Returns the place of an event id: of `out` without a process, or of the stream of a POST. Undefined if it is malformed. */
export function readSharedEventId(
  id: string,
): PostPlace | { readonly process: undefined; readonly sequence: number } | undefined {
  const out = /^out\.(\d{1,15})$/.exec(id);
  if (out !== null) return { process: undefined, sequence: Number(out[1]) };
  const post = /^([a-z2-7]{12})\.(\d{1,15})\.(\d{1,15})$/.exec(id);
  if (post === null) return undefined;
  return { process: post[1] as string, stream: Number(post[2]), sequence: Number(post[3]) };
}
