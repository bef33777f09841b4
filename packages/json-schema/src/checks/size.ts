const someParts = 1_000;

/** What makes a value small. */
export interface Smallness {
  /** Default 1,000. */
  readonly parts?: number;
  /** How much of a text counts as one more part; by default texts of any length are one part. */
  readonly charactersPerPart?: number;
}

const anyText: Smallness = {};

/** True for a value of at most a thousand parts; stops counting there. */
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
      // A list of all names or values of a large object costs as much as parsing it.
      for (const name in next) {
        if (++parts > most) return false;
        open.push((next as Record<string, unknown>)[name]);
      }
    }
    if (parts > most) return false;
  }
  return true;
}
