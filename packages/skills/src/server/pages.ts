import { fromBase64Url, toBase64Url, utf8Text } from '@tenon/foundation';
import { ErrorCode, RpcError } from '@tenon/mcp-server';
import { compare } from './catalog.js';

/** Bounds of one page of `skills/list` or `resources/directory/read`. */
export const pageBounds = {
  /** Skills, or files. */
  pageSize: 100,
  /** Characters of them as JSON. A larger entry has a page of its own. */
  pageCharacters: 1_048_576,
};

/** A page of items, and the cursor of the next page if there is one. */
interface ItemPage<Item> {
  readonly items: readonly Item[];
  readonly nextCursor?: string;
}

const encoder = new TextEncoder();
const shape = /^1\.[a-z]+\.[0-9a-f]{16}\.([A-Za-z0-9_-]{1,12000})$/;

/** The list that a cursor belongs to. */
interface Paged<Item> {
  readonly list: 'skills' | 'directory';
  /** The items in the order of their URIs. */
  readonly all: readonly Item[];
  /** The URI of the directory that is listed. Default: none. */
  readonly of?: string;
  readonly bounds: typeof pageBounds;
  readonly uriOf: (item: Item) => string;
}

/**
 * Returns the page that a cursor begins. A cursor names the last item that the client has received, so pages skip nothing and
 * repeat nothing when items come and go.
 * @throws RpcError invalid params if it is not a cursor of this list.
 */
export function pageOf<Item>(
  { list, all, of = '', bounds, uriOf }: Paged<Item>,
  cursor: unknown,
): ItemPage<Item> {
  const after = cursor === undefined ? undefined : readCursor(list, of, String(cursor));
  let at = after === undefined ? 0 : firstAfter(all, after, uriOf);
  const items: Item[] = [];
  let characters = 0;
  for (; at < all.length && items.length < bounds.pageSize; at++) {
    const item = all[at] as Item;
    characters += JSON.stringify(item).length;
    if (items.length > 0 && characters > bounds.pageCharacters) break;
    items.push(item);
  }
  const last = items.at(-1);
  if (at >= all.length || last === undefined) return { items };
  return { items, nextCursor: writeCursor(list, of, uriOf(last)) };
}

function firstAfter<Item>(all: readonly Item[], uri: string, uriOf: (item: Item) => string): number {
  let low = 0;
  let high = all.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compare(uriOf(all[middle] as Item), uri) > 0) high = middle;
    else low = middle + 1;
  }
  return low;
}

function writeCursor(list: string, of: string, uri: string): string {
  return `1.${list}.${print(of)}.${toBase64Url(encoder.encode(uri))}`;
}

function readCursor(list: string, of: string, cursor: string): string {
  const [, text = ''] = shape.exec(cursor) ?? [];
  const bytes = fromBase64Url(text);
  const uri = bytes && utf8Text(bytes);
  // Each URI has only one cursor, and each list its own.
  if (uri !== undefined && writeCursor(list, of, uri) === cursor) return uri;
  throw new RpcError(
    ErrorCode.invalidParams,
    'params.cursor: not a cursor of this list; ask for the list from its beginning',
  );
}

/** A 64-bit hash (FNV-1a, twice) of the directory that a cursor belongs to. */
function print(text: string): string {
  const half = (seed: number) => {
    let hash = seed;
    for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
    return (hash >>> 0).toString(16).padStart(8, '0');
  };
  return half(0x811c9dc5) + half(0x9747b28c);
}
