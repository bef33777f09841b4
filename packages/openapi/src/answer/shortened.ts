import { isRecord } from '@tenon/foundation';

/** A value that was made shorter, and what is missing. */
export interface Shortened {
  readonly value: unknown;
  /** A sentence part for each list that lost items, and for texts. */
  readonly missing: readonly string[];
}

/** Items of a list and characters of a text, from the most to the least. */
const steps: readonly (readonly [items: number, characters: number])[] = [
  [5_000, 8_000],
  [2_000, 8_000],
  [1_000, 4_000],
  [500, 4_000],
  [200, 4_000],
  [100, 2_000],
  [50, 1_000],
  [25, 500],
  [12, 300],
  [6, 200],
  [3, 100],
  [1, 60],
];

const mostNamed = 5;

/**
 * Returns a JSON value with a text of at most this many characters: with the first items of its lists, and the start of its texts, so that it
 * has the same shape.
 * @returns undefined if it is still too long.
 */
export function shortened(value: unknown, most: number): Shortened | undefined {
  for (const [items, characters] of steps) {
    const missing: string[] = [];
    const cut = new Cut({ items, characters, missing });
    const shorter = cut.of(value, '');
    if (JSON.stringify(shorter).length > most) continue;
    const texts = cut.texts === 0 ? [] : [`the ends of ${cut.texts === 1 ? 'a text' : `${cut.texts} texts`}`];
    const more = missing.length > mostNamed ? [`items of ${missing.length - mostNamed} more lists`] : [];
    return { value: shorter, missing: [...missing.slice(0, mostNamed), ...more, ...texts] };
  }
  return undefined;
}

class Cut {
  texts = 0;
  readonly #bounds: { readonly items: number; readonly characters: number; readonly missing: string[] };

  constructor(bounds: { readonly items: number; readonly characters: number; readonly missing: string[] }) {
    this.#bounds = bounds;
  }

  of(value: unknown, at: string): unknown {
    const { items, characters, missing } = this.#bounds;
    if (typeof value === 'string' && value.length > characters) {
      this.texts++;
      return `${value.slice(0, characters)}...`;
    }
    if (Array.isArray(value)) {
      if (value.length > items)
        missing.push(`${value.length - items} of ${value.length} items of ${at || 'the list'}`);
      return value.slice(0, items).map((one) => this.of(one, `${at}[]`));
    }
    if (!isRecord(value)) return value;
    const under = at === '' ? '' : `${at}.`;
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => [key, this.of(one, `${under}${key.slice(0, 40)}`)]),
    );
  }
}
