const someParts = 1_000;

/** The limits of a small value. */
export interface Smallness {
  /** Default 1,000. */
  readonly parts?: number;
  /** Characters of a text that count as one more part. By default a text of any length is one part. */
  readonly charactersPerPart?: number;
}

const anyText: Smallness = {};

/** True for a value of at most a thousand parts, by default; stops counting there. */
export function isSmall(value: unknown, smallness: Smallness = anyText): boolean {
  const { parts: most = someParts, charactersPerPart = Number.POSITIVE_INFINITY } = smallness;
  const open: unknown[] = [value];
  let parts = 1;
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next === 'string') parts += Math.floor(next.length / charactersPerPart);
    else if (Array.isArray(next)) {
      parts += next.length;
      if (parts <= most) open.push(...(next as unknown[]));
    } else if (typeof next === 'object' && next !== null) {
      // Listing all names or values of a large object would cost as much as parsing it.
      for (const name in next) {
        if (++parts > most) return false;
        open.push((next as Record<string, unknown>)[name]);
      }
    }
    if (parts > most) return false;
  }
  return true;
}

/** The limits of a value that goes straight to its schema library, which has little work with it even if it is wrong. */
export const lightness: Smallness = { charactersPerPart: 16 };

/** Schema libraries that check a recursive union in linear time, because they compare what its branches have in common. */
export const quickLibraries: ReadonlySet<string> = new Set(['zod', 'arktype']);
