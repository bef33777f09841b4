import { RemoteError, SessionError, textOf } from '@tenon/mcp-client';

interface MaybeFailed {
  readonly isError?: boolean;
  readonly content?: readonly { readonly type: string }[];
}

/**
 * Returns how a call was refused: an error code, `isError` or, after a dash, the reason that it was not sent.
 * @param words - required in the message, so that no other refusal passes.
 */
export async function refusal(call: Promise<object>, words: string): Promise<string> {
  try {
    const result: MaybeFailed = await call;
    if (result.isError !== true) return 'accepted';
    return textOfResult(result).includes(words) ? 'isError' : textOfResult(result);
  } catch (error) {
    if (error instanceof RemoteError) return error.message.includes(words) ? `${error.code}` : `${error}`;
    if (error instanceof SessionError) return `– ${error.reason}`;
    throw error;
  }
}

/** Returns the text of a tool result. */
export function textOfResult({ content = [] }: MaybeFailed): string {
  return textOf(content);
}

/** Returns a share such as `7 of 7`, or `– none`. */
export function share<Item>(items: readonly Item[], has: (item: Item) => boolean): string {
  const count = items.filter(has).length;
  return count === 0 ? '– none' : `${count} of ${items.length}`;
}
