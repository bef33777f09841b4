import type { Entry, EntryChange, Visibility } from './registry.js';

/** What became of a list's entries since its listeners were told last. */
export class ListChanges {
  readonly #entries = new Map<string, { readonly before: Entry | undefined; after: Entry | undefined }>();

  add({ name, before, after }: EntryChange): void {
    const earlier = this.#entries.get(name);
    if (earlier === undefined) this.#entries.set(name, { before, after });
    else earlier.after = after;
  }

  /**
   * Tells for whom the list shows something else than before; undefined when that is nobody.
   * @throws whatever is thrown when entries are written as JSON.
   */
  difference(): Visibility | undefined {
    // Many entries are often for the same few.
    const concerned = new Set<Visibility>();
    for (const { before, after } of this.#entries.values()) {
      const concerns = differenceOf(before, after);
      if (concerns === everybody) return everybody;
      if (concerns !== undefined) concerned.add(concerns);
    }
    if (concerned.size === 0) return undefined;
    return (principal) => {
      for (const concerns of concerned) if (concerns(principal) === true) return true;
      return false;
    };
  }
}

/** Sees everything. */
const everybody: Visibility = () => true;

function differenceOf(before: Entry | undefined, after: Entry | undefined): Visibility | undefined {
  const one = before ?? after;
  const other = before === undefined ? undefined : after;
  if (one === undefined) return undefined;
  const { visible = everybody } = one;
  if (other === undefined) return visible;
  // What an entry does is no part of a list, and neither is which object tells of it.
  const isSame = JSON.stringify(one.definition) === JSON.stringify(other.definition);
  const { visible: laterVisible = everybody } = other;
  if (visible === laterVisible) return isSame ? undefined : visible;
  return (principal) => {
    const [was, is] = [visible(principal) === true, laterVisible(principal) === true];
    return was !== is || (is && !isSame);
  };
}
