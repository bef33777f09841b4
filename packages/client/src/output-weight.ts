/** Characters that weigh as much as one value. */
const charactersPerPart = 32;

/** How many values a schema holds, long texts counting for more; stops counting at `most`. */
export function weigh(schema: unknown, most: number): number {
  const open: unknown[] = [schema];
  let parts = 1;
  while (open.length > 0 && parts < most) {
    const next = open.pop();
    if (typeof next === 'string') parts += Math.floor(next.length / charactersPerPart);
    if (typeof next !== 'object' || next === null) continue;
    for (const [key, value] of Object.entries(next)) {
      parts += 1 + Math.floor(key.length / charactersPerPart);
      if (parts >= most) break;
      open.push(value);
    }
  }
  return Math.min(parts, most);
}
