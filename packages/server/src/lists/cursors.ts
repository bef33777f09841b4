/** The end of a page of a list. */
export interface Mark {
  /** The number of the last item in its list, from 1. */
  readonly number: number;
  /** The hash of the last item: see {@link printOf}. */
  readonly print: number;
}

/** The version of the format: a later release that changes it rejects older cursors instead of misreading them. */
const version = '1';
/** Version, list, and the two numbers in base 36. */
const shape = /^1\.(\w{1,32})\.([0-9a-z]{1,7})\.([0-9a-z]{1,7})$/;
const most = 2 ** 32 - 1;

/**
 * Returns the cursor of a page: version, list and last item, opaque to clients. The client has already received the last item,
 * so nothing is sealed. The text depends on nothing else: it survives a restart and is the same on every instance.
 */
export function writeCursor(list: string, { number, print }: Mark): string {
  return `${version}.${list}.${number.toString(36)}.${print.toString(36)}`;
}

/** Returns the mark in a cursor of this list; undefined for any other text. */
export function readCursor(list: string, cursor: string): Mark | undefined {
  const [, of, place = '', item = ''] = shape.exec(cursor) ?? [];
  if (of !== list) return undefined;
  const mark = { number: Number.parseInt(place, 36), print: Number.parseInt(item, 36) };
  if (mark.number < 1 || mark.number > most || mark.print > most) return undefined;
  // Each mark has only one text: no leading zeros.
  return writeCursor(list, mark) === cursor ? mark : undefined;
}

/**
 * Returns a 32-bit hash of the name of an item (FNV-1a). Two names collide once in four thousand million times. A whole
 * list can be searched by it.
 */
export function printOf(name: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < name.length; at++) hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
