import type { Entry, EntryChange, Visibility } from './registry.js';

/** The changes of a list's entries since the last notification. */
export class ListChanges {
  readonly #entries = new Map<string, { readonly before: Entry | undefined; after: Entry | undefined }>();

  add({ name, before, after }: EntryChange): void {
    const earlier = this.#entries.get(name);
    if (earlier === undefined) this.#entries.set(name, { before, after });
    else earlier.after = after;
  }

  /**
   * Returns the condition on listeners that see a different list; undefined if the list is the same for all.
   * @throws the errors of writing entries as JSON.
   */
  difference(): Visibility | undefined {
    // Often many entries share a few visibilities.
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

/** A caller that sees all entries. */
const everybody: Visibility = () => true;

function differenceOf(before: Entry | undefined, after: Entry | undefined): Visibility | undefined {
  const one = before ?? after;
  const other = before === undefined ? undefined : after;
  if (one === undefined) return undefined;
  const { visible = everybody } = one;
  if (other === undefined) return visible;
  // A list contains neither the behaviour of an entry nor the identity of its object.
  const isSame = JSON.stringify(one.definition) === JSON.stringify(other.definition);
  const { visible: laterVisible = everybody } = other;
  if (visible === laterVisible) return isSame ? undefined : visible;
  return (principal) => {
    const [was, is] = [visible(principal) === true, laterVisible(principal) === true];
    return was !== is || (is && !isSame);
  };
}
