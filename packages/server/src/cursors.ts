/** Where a page of a list ended. */
export interface Mark {
  /** Number of the last item in its list, 1 or more. */
  readonly number: number;
  /** Identifies the last item: see {@link printOf}. */
  readonly print: number;
}

/** Format of the text: a later release that changes it refuses older cursors instead of misreading them. */
const version = '1';
/** Version, list, and the two numbers in base 36. */
const shape = /^1\.(\w{1,32})\.([0-9a-z]{1,7})\.([0-9a-z]{1,7})$/;
const most = 2 ** 32 - 1;

/**
 * The cursor of a page: version, list and last item, opaque to clients. The last item has been shown to the client
 * already, so nothing is sealed. The text depends on nothing else: it outlives a restart and is the same on every instance.
 */
export function writeCursor(list: string, { number, print }: Mark): string {
  return `${version}.${list}.${number.toString(36)}.${print.toString(36)}`;
}

/** The mark in a cursor of this list; undefined for every other text. */
export function readCursor(list: string, cursor: string): Mark | undefined {
  const [, of, place = '', item = ''] = shape.exec(cursor) ?? [];
  if (of !== list) return undefined;
  const mark = { number: Number.parseInt(place, 36), print: Number.parseInt(item, 36) };
  if (mark.number < 1 || mark.number > most || mark.print > most) return undefined;
  // One mark, one text: no leading zeros.
  return writeCursor(list, mark) === cursor ? mark : undefined;
}

/**
 * A number of 32 bits for the name of an item (FNV-1a). Two names share a number once in four thousand million times. A whole
 * list can be searched by it.
 */
export function printOf(name: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < name.length; at++) hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
