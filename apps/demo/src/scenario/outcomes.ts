import { RemoteError, SessionError, textOf } from '@tenon/mcp-client';

interface MaybeFailed {
  readonly isError?: boolean;
  readonly content?: readonly { readonly type: string }[];
}

/**
 * How a call was refused: by an error's code, by a result that is an error, or, after a dash, not even sent.
 * @param words - must stand in the message, so that no other refusal is taken for it.
 */
export async function refusal(call: Promise<object>, words: string): Promise<string> {
  try {
    const result: MaybeFailed = await call;
    if (result.isError !== true) return 'accepted';
    return said(result).includes(words) ? 'isError' : said(result);
  } catch (error) {
    if (error instanceof RemoteError) return error.message.includes(words) ? `${error.code}` : `${error}`;
    if (error instanceof SessionError) return `– ${error.reason}`;
    throw error;
  }
}

/** The text of a tool's result. */
export function said({ content = [] }: MaybeFailed): string {
  return textOf(content);
}

/** A share, or that there is none. */
export function share<Item>(items: readonly Item[], has: (item: Item) => boolean): string {
  const count = items.filter(has).length;
  return count === 0 ? '– none' : `${count} of ${items.length}`;
}
