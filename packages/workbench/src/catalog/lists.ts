import { isDeepStrictEqual } from 'node:util';
import { type Catalog, type CatalogList, listRow } from './catalog.js';

/** The differences between two states of a list, as names in alphabetical order. */
export interface ListDifference {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** Entries with the same name and another content. */
  readonly changed: readonly string[];
}

/**
 * Compares two states of one list of a catalog. Entries are known by the name of a tool or prompt, the URI of a resource, and the
 * URI template of a template. The order of entries and of their members does not matter.
 */
export function compareLists<L extends CatalogList>(
  list: L,
  before: Catalog[L],
  after: Catalog[L],
): ListDifference {
  return compareEntries(byKey(list, before), byKey(list, after));
}

/** Compares entries by their names. */
export function compareEntries(
  old: ReadonlyMap<string, unknown>,
  current: ReadonlyMap<string, unknown>,
): ListDifference {
  const added = [...current.keys()].filter((key) => !old.has(key));
  const removed = [...old.keys()].filter((key) => !current.has(key));
  const changed = [...current].filter(
    ([key, entry]) => old.has(key) && !isDeepStrictEqual(old.get(key), entry),
  );
  return { added: added.sort(), removed: removed.sort(), changed: changed.map(([key]) => key).sort() };
}

/** True if the two states of the list were equal. */
export function isSameList({ added, removed, changed }: ListDifference): boolean {
  return added.length + removed.length + changed.length === 0;
}

/** Returns a difference in one line, such as `+add -sum ~greet`. @param most - names that are written; the others are counted. */
export function describeDifference({ added, removed, changed }: ListDifference, most = 20): string {
  const names = [
    ...added.map((name) => `+${name}`),
    ...removed.map((name) => `-${name}`),
    ...changed.map((name) => `~${name}`),
  ];
  const more = names.length - most;
  return [...names.slice(0, most), ...(more > 0 ? [`and ${more} more`] : [])].join(' ');
}

function byKey<L extends CatalogList>(list: L, entries: Catalog[L]): Map<string, Catalog[L][number]> {
  const { key } = listRow(list);
  return new Map(entries.map((entry) => [String(Reflect.get(entry, key)), entry]));
}
