/** Characters that count as one value. */
export const charactersPerPart = 32;

/** Returns the number of values in a JSON value, itself included; long texts count for more. Stops counting at `most`. */
export function weigh(json: unknown, most: number): number {
  const open: unknown[] = [json];
  let parts = 1;
  while (open.length > 0 && parts < most) {
    const next = open.pop();
    if (typeof next === 'string') parts += Math.floor(next.length / charactersPerPart);
    if (typeof next !== 'object' || next === null) continue;
    // Not by entries, which would create a list for each member: hostile pages are large.
    for (const key in next) {
      parts += 1 + Math.floor(key.length / charactersPerPart);
      if (parts >= most) break;
      const value = (next as Readonly<Record<string, unknown>>)[key];
      if (typeof value === 'object' || typeof value === 'string') open.push(value);
    }
  }
  return Math.min(parts, most);
}
